#include "@snake@.h"

#include <ringmesh/lab/command_line.h>
#include <ringmesh/platforms/card_machine.h>

int main(int argc, char** argv)
{
    return ringmesh::command_line(argc, argv, {ringmesh::platforms::card_kind<@snake@::@Pascal@>()});
}

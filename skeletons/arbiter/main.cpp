#include "@snake@.h"

#include <ringmesh/lab/command_line.h>

int main(int argc, char** argv)
{
    using ringmesh::hw::ArbitrationPolicy;
    return ringmesh::command_line(argc, argv, {ArbitrationPolicy::of<@snake@::@Pascal@>()});
}

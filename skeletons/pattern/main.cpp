#include "@snake@.h"

#include <ringmesh/lab/command_line.h>

int main(int argc, char** argv)
{
    using ringmesh::workloads::PatternPolicy;
    return ringmesh::command_line(argc, argv, {PatternPolicy::of<@snake@::@Pascal@>()});
}

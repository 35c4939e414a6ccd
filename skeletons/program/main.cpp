#include "@snake@.h"

#include <ringmesh/lab/command_line.h>

int main(int argc, char** argv)
{
    using namespace ringmesh::workloads;
    return ringmesh::command_line(
        argc, argv,
        {over_ranks<@snake@::@Pascal@>("@name@", {Offer::kQueues}, "a message is handed on from rank to rank, once round")});
}

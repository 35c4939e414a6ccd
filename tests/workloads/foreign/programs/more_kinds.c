/* SPDX-License-Identifier: Apache-2.0
 * Info, and what datatypes tell of themselves. */
#include "check.h"

static int deleted, copied;
static int copy_attribute(MPI_Datatype type, int key, void* extra, void* value, void* copy, int* flag)
{
    (void)type, (void)key, (void)extra;
    ++copied;
    *(void**)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}
static int delete_attribute(MPI_Datatype type, int key, void* value, void* extra)
{
    (void)type, (void)key, (void)extra;
    deleted = deleted * 10 + *(int*)value;
    return MPI_SUCCESS;
}

static void check_info(void)
{
    MPI_Info info, copy;
    char text[100];
    int flag = 0, count = 0, length = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "host", "a");
    MPI_Info_set(info, "file", "a long value");
    MPI_Info_set(info, "host", "other");
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "host");
    MPI_Info_get_nkeys(info, &count);
    CHECK(count == 1);
    MPI_Info_get_nkeys(copy, &count);
    CHECK(count == 2);
    MPI_Info_get_nthkey(copy, 1, text);
    CHECK(strcmp(text, "file") == 0);
    MPI_Info_get(copy, "host", 99, text, &flag);
    CHECK(flag && strcmp(text, "other") == 0);
    MPI_Info_get(copy, "file", 4, text, &flag);
    CHECK(flag && strcmp(text, "a lo") == 0);
    MPI_Info_get(copy, "none", 99, text, &flag);
    CHECK(!flag);
    MPI_Info_get_valuelen(copy, "file", &length, &flag);
    CHECK(flag && length == 12);
    MPI_Info_free(&copy);
    CHECK(copy == MPI_INFO_NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Info_delete(info, "host") == MPI_ERR_INFO_NOKEY);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Info_free(&info);
}

static void check_contents(void)
{
    MPI_Datatype vector, structure, inner[2];
    int integers[10], counts[4];
    MPI_Aint addresses[4];
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Type_vector(3, 2, 5, MPI_DOUBLE, &vector);
    const int lengths[2] = {1, 4};
    const MPI_Aint places[2] = {0, 120};
    const MPI_Datatype types[2] = {vector, MPI_CHAR};
    MPI_Type_create_struct(2, lengths, places, types, &structure);
    MPI_Type_set_name(structure, "pair");
    MPI_Type_free(&vector);
    MPI_Type_get_envelope(structure, &counts[0], &counts[1], &counts[2], &counts[3]);
    CHECK(counts[0] == 3 && counts[1] == 2 && counts[2] == 2 && counts[3] == MPI_COMBINER_STRUCT);
    MPI_Type_get_contents(structure, 10, 4, 2, integers, addresses, inner);
    CHECK(integers[0] == 2 && integers[2] == 4 && addresses[1] == 120 && inner[1] == MPI_CHAR);
    MPI_Type_get_contents(inner[0], 10, 4, 1, integers, addresses, inner + 1);
    CHECK(integers[0] == 3 && integers[1] == 2 && integers[2] == 5 && inner[1] == MPI_DOUBLE);
    MPI_Type_get_name(structure, name, counts);
    CHECK(strcmp(name, "pair") == 0 && counts[0] == 4);
    MPI_Type_get_name(MPI_INT, name, counts);
    CHECK(strcmp(name, "MPI_INT") == 0);

    int keys[2], one = 1, two = 2;
    MPI_Type_create_keyval(copy_attribute, delete_attribute, &keys[0], NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_attribute, &keys[1], NULL);
    MPI_Type_set_attr(structure, keys[1], &two);
    MPI_Type_set_attr(structure, keys[0], &one);
    MPI_Datatype copy;
    MPI_Type_dup(structure, &copy);
    void* value = NULL;
    int flag = 0;
    MPI_Type_get_attr(copy, keys[0], (void*)&value, &flag);
    CHECK(flag && value == (void*)&one && copied == 1);
    MPI_Type_get_attr(copy, keys[1], (void*)&value, &flag);
    CHECK(!flag);
    MPI_Type_delete_attr(copy, keys[0]);
    CHECK(deleted == 1);
    MPI_Type_free(&structure);
    CHECK(deleted == 112); /* the last one first */
    MPI_Type_free(&copy);
}

/* A marker sets its bound wherever it stands. */
static void check_markers(void)
{
    const int lengths[3] = {1, 4, 1};
    const MPI_Aint places[3] = {-3, 0, 6};
    for (int turned = 0; turned < 2; ++turned) {
        const MPI_Datatype types[3] = {MPI_LB, MPI_BYTE, MPI_UB}, back[3] = {MPI_UB, MPI_BYTE, MPI_LB};
        const MPI_Aint back_places[3] = {6, 0, -3};
        MPI_Datatype type, three;
        MPI_Aint lb = 0, extent = 0;
        MPI_Type_create_struct(3, lengths, turned ? back_places : places, turned ? back : types, &type);
        MPI_Type_get_extent(type, &lb, &extent);
        CHECK(lb == -3 && extent == 9);
        MPI_Type_contiguous(3, type, &three);
        MPI_Type_get_extent(three, &lb, &extent);
        CHECK(lb == -3 && extent == 27);
        MPI_Type_get_true_extent(three, &lb, &extent);
        CHECK(lb == 0 && extent == 22);
        MPI_Type_free(&type);
        MPI_Type_free(&three);
    }
}

/* Each of four places of a 2 x 2 grid has what the distributions say. */
static void check_array(void)
{
    const int sizes[2] = {5, 7}, kinds[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    const int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[2] = {2, 2};
    int array[35], packed[35], seen[35];
    for (int i = 0; i < 35; ++i) array[i] = i, seen[i] = 0;
    for (int place = 0; place < 4; ++place) {
        MPI_Datatype type;
        int bytes = 0, position = 0;
        MPI_Aint lb = 0, extent = 0;
        MPI_Type_create_darray(4, place, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Type_size(type, &bytes);
        MPI_Type_get_extent(type, &lb, &extent);
        CHECK(lb == 0 && extent == 35 * (MPI_Aint)sizeof(int));
        MPI_Pack(array, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
        CHECK(position == bytes);
        for (int i = 0; i < bytes / (int)sizeof(int); ++i) {
            const int row = packed[i] / 7, column = packed[i] % 7;
            CHECK(row / 3 == place / 2 && column / 2 % 2 == place % 2);
            CHECK(i == 0 || packed[i] > packed[i - 1]);
            ++seen[packed[i]];
        }
        MPI_Type_free(&type);
    }
    for (int i = 0; i < 35; ++i) CHECK(seen[i] == 1);
}

static void check_external(void)
{
    const int numbers[2] = {0x01020304, 5};
    int back[2] = {0, 0};
    unsigned char bytes[8];
    MPI_Aint position = 0, room = 0;
    MPI_Pack_external_size("external32", 2, MPI_INT, &room);
    CHECK(room == 8);
    MPI_Pack_external("external32", numbers, 2, MPI_INT, bytes, 8, &position);
    CHECK(position == 8 && bytes[0] == 1 && bytes[3] == 4 && bytes[7] == 5);
    position = 0;
    MPI_Unpack_external("external32", bytes, 8, &position, back, 2, MPI_INT);
    CHECK(memcmp(back, numbers, sizeof back) == 0);
    double _Complex sum = 0, mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    double all = 1;
    for (int i = 0; i < size; ++i) all *= i + 1;
    CHECK(sum == all);
}

/* Types of C++ add as those of C. */
static void check_cxx(void)
{
    int bytes[4];
    MPI_Type_size(MPI_CXX_BOOL, &bytes[0]);
    MPI_Type_size(MPI_CXX_FLOAT_COMPLEX, &bytes[1]);
    MPI_Type_size(MPI_CXX_DOUBLE_COMPLEX, &bytes[2]);
    MPI_Type_size(MPI_CXX_LONG_DOUBLE_COMPLEX, &bytes[3]);
    CHECK(bytes[0] == 1 && bytes[1] == 8 && bytes[2] == 16 && bytes[3] == 2 * (int)sizeof(long double));
    const double mine[2] = {rank, 1};
    double sum[2] = {0, 0};
    MPI_Allreduce(mine, sum, 1, MPI_CXX_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum[0] == size * (size - 1) / 2 && sum[1] == size);
}

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    check_info();
    check_contents();
    check_markers();
    check_array();
    check_external();
    check_cxx();
    return end();
}

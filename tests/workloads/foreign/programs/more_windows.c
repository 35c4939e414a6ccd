/* SPDX-License-Identifier: Apache-2.0
 * Windows of other kinds, what they tell of themselves, and errors. */
#include "check.h"

static int deletes, told;
static MPI_Win told_of;
static int forget(MPI_Win win, int key, void* value, void* extra)
{
    (void)win, (void)key;
    deletes += *(int*)value + *(int*)extra;
    return MPI_SUCCESS;
}
static void tell(MPI_Win* win, int* code, ...)
{
    told = *code;
    told_of = *win;
}
static int class_of(int code)
{
    int error_class = -1;
    MPI_Error_class(code, &error_class);
    return error_class;
}

static void dynamic(int next)
{
    int* const memory = malloc(16 * sizeof(int));
    MPI_Aint mine, there;
    MPI_Win win;
    int value = 7000 + rank, got = 0;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK(MPI_Win_attach(win, memory, 16 * sizeof(int)) == MPI_SUCCESS);
    MPI_Get_address(memory, &mine);
    MPI_Sendrecv(&mine, 1, MPI_AINT, (rank + size - 1) % size, 0, &there, 1, MPI_AINT, next, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_lock_all(0, win);
    MPI_Put(&value, 1, MPI_INT, next, MPI_Aint_add(there, 3 * sizeof(int)), 1, MPI_INT, win);
    CHECK(MPI_Win_flush(next, win) == MPI_SUCCESS);
    MPI_Get(&got, 1, MPI_INT, next, there + (MPI_Aint)(3 * sizeof(int)), 1, MPI_INT, win);
    CHECK(MPI_Win_flush(next, win) == MPI_SUCCESS && got == value);
    /* half of it is outside: the next call that waits for it tells */
    MPI_Put(&value, 1, MPI_INT, next, there + 62, 1, MPI_INT, win);
    CHECK(class_of(MPI_Win_flush(next, win)) == MPI_ERR_RMA_RANGE);
    CHECK(MPI_Win_flush(next, win) == MPI_SUCCESS);
    MPI_Get(&got, 1, MPI_INT, next, there - 4, 1, MPI_INT, win);
    CHECK(class_of(MPI_Win_unlock_all(win)) == MPI_ERR_RMA_RANGE);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(memory[3] == 7000 + (rank + size - 1) % size);
    CHECK(MPI_Win_detach(win, memory) == MPI_SUCCESS);
    CHECK(class_of(MPI_Win_detach(win, memory)) == MPI_ERR_RMA_ATTACH);
    MPI_Win_free(&win);
    free(memory);
}

static void shared(void)
{
    MPI_Comm node;
    MPI_Win win;
    int *base = NULL, *other = NULL, near, nears, unit = 0;
    MPI_Aint bytes = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &near);
    MPI_Comm_size(node, &nears);
    MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &base, &win);
    MPI_Win_lock_all(0, win);
    base[0] = 50 + near;
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_shared_query(win, (near + 1) % nears, &bytes, &unit, &other);
    CHECK(bytes == 4 * sizeof(int) && unit == sizeof(int) && other[0] == 50 + (near + 1) % nears);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &other);
    CHECK(other[0] == 50 && other + 4 * near == base);
    int value = 60 + near;
    MPI_Put(&value, 1, MPI_INT, (near + 1) % nears, 1, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(node);
    CHECK(base[1] == 60 + (near + nears - 1) % nears);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
}

static void itself(void)
{
    static double here[10];
    MPI_Win win;
    MPI_Info info, used;
    char text[MPI_MAX_OBJECT_NAME], value[MPI_MAX_INFO_VAL + 1];
    int flag = 0, length = 0, key, weight = 3, *found = NULL, extra = 100;
    void* base = NULL;
    MPI_Aint* bytes = NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Info_set(info, "nobody_knows", "true");
    MPI_Win_create(here, sizeof here, sizeof(double), info, MPI_COMM_WORLD, &win);
    MPI_Info_free(&info);
    MPI_Win_get_info(win, &used);
    MPI_Info_get(used, "no_locks", MPI_MAX_INFO_VAL, value, &flag);
    CHECK(flag && !strcmp(value, "true"));
    MPI_Info_get(used, "nobody_knows", MPI_MAX_INFO_VAL, value, &flag);
    CHECK(!flag);
    MPI_Info_set(used, "same_size", "true");
    MPI_Win_set_info(win, used);
    MPI_Info_free(&used);
    MPI_Win_get_info(win, &used);
    MPI_Info_get(used, "same_size", MPI_MAX_INFO_VAL, value, &flag);
    CHECK(flag && !strcmp(value, "true"));
    MPI_Info_free(&used);

    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    CHECK(flag && base == here);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
    CHECK(flag && *bytes == (MPI_Aint)sizeof here);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &found, &flag);
    CHECK(flag && *found == sizeof(double));
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &found, &flag);
    CHECK(flag && *found == MPI_WIN_FLAVOR_CREATE);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &found, &flag);
    CHECK(flag && *found == MPI_WIN_UNIFIED);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, forget, &key, &extra);
    MPI_Win_get_attr(win, key, &found, &flag);
    CHECK(!flag);
    MPI_Win_set_attr(win, key, &weight);
    MPI_Win_get_attr(win, key, &found, &flag);
    CHECK(flag && found == &weight);
    MPI_Win_delete_attr(win, key);
    CHECK(deletes == 103);
    MPI_Win_set_attr(win, key, &weight);
    MPI_Win_free_keyval(&key);
    CHECK(key == MPI_KEYVAL_INVALID);

    MPI_Win_get_name(win, text, &length);
    CHECK(length == 0 && text[0] == 0);
    MPI_Win_set_name(win, "of doubles");
    MPI_Win_get_name(win, text, &length);
    CHECK(length == 10 && !strcmp(text, "of doubles"));
    CHECK(MPI_Win_f2c(MPI_Win_c2f(win)) == win);

    MPI_Errhandler own, before;
    MPI_Win_get_errhandler(win, &before);
    CHECK(before == MPI_ERRORS_ARE_FATAL);
    MPI_Win_create_errhandler(tell, &own);
    MPI_Win_set_errhandler(win, own);
    MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
    CHECK(told == MPI_ERR_OTHER && told_of == win);
    MPI_Win_lock(77, 0, 0, win);
    CHECK(class_of(told) == MPI_ERR_LOCKTYPE);
    MPI_Errhandler_free(&own);
    MPI_Win_free(&win);
    CHECK(deletes == 206);
}

static void errors(int next)
{
    int here[4] = {1, 2, 3, 4}, value = 9, unit = 0;
    double real = 1, other = 2, got = 0;
    MPI_Aint bytes = 0;
    void* base = NULL;
    MPI_Win win, none = MPI_WIN_NULL;
    MPI_Group world;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Win_create(here, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win)) == MPI_ERR_SIZE);
    CHECK(class_of(MPI_Win_create(here, 16, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win)) == MPI_ERR_DISP);
    if (size > 1) {
        CHECK(class_of(MPI_Win_allocate_shared(4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win)) ==
              MPI_ERR_RMA_SHARED);
    }
    CHECK(class_of(MPI_Win_fence(0, MPI_WIN_NULL)) == MPI_ERR_WIN);
    CHECK(class_of(MPI_Win_free(&none)) == MPI_ERR_WIN);
    MPI_Win_create(here, sizeof here, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);

    /* outside of an epoch, and calls that end none */
    CHECK(class_of(MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_unlock(next, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_unlock_all(win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_flush_all(win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_complete(win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_wait(win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_fence(1 << 20, win)) == MPI_ERR_ASSERT);
    CHECK(class_of(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Win_attach(win, here, 4)) == MPI_ERR_RMA_FLAVOR);
    CHECK(class_of(MPI_Win_shared_query(win, 0, &bytes, &unit, &base)) == MPI_ERR_RMA_FLAVOR);

    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    CHECK(class_of(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_lock_all(0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_fence(0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_start(world, 0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_free(&win)) == MPI_ERR_RMA_SYNC);
    if (size > 1) {
        CHECK(class_of(MPI_Put(&value, 1, MPI_INT, (next + 1) % size, 0, 1, MPI_INT, win)) == MPI_ERR_RMA_SYNC);
    }
    CHECK(class_of(MPI_Put(&value, 1, MPI_INT, next, 4, 1, MPI_INT, win)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Put(&value, 1, MPI_INT, next, -1, 1, MPI_INT, win)) == MPI_ERR_DISP);
    CHECK(class_of(MPI_Put(here, 2, MPI_INT, next, 0, 1, MPI_INT, win)) == MPI_ERR_TRUNCATE);
    CHECK(class_of(MPI_Put(&value, -1, MPI_INT, next, 0, 1, MPI_INT, win)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Put(&value, 1, MPI_DATATYPE_NULL, next, 0, 1, MPI_INT, win)) == MPI_ERR_TYPE);
    CHECK(class_of(MPI_Accumulate(&value, 1, MPI_INT, next, 0, 1, MPI_INT, MPI_OP_NULL, win)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Accumulate(&real, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, MPI_BAND, win)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Compare_and_swap(&real, &other, &got, MPI_DOUBLE, next, 0, win)) == MPI_ERR_TYPE);
    /* nobody is there */
    CHECK(MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win) == MPI_SUCCESS);
    CHECK(MPI_Win_unlock(next, win) == MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(here[0] == 1 && here[3] == 4);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
}

int main(int argc, char** argv)
{
    begin(&argc, &argv);
    const int next = (rank + 1) % size;
    dynamic(next);
    shared();
    itself();
    errors(next);
    return end();
}

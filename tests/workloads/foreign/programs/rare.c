/* SPDX-License-Identifier: Apache-2.0
 * What few programs do, and a library gets wrong easily: several types at one place, errors that a program goes on
 * after, what it frees while a call needs it, elements with holes, and arguments that nothing can be done with. */
#include <complex.h>
#include <stdint.h>
#include <unistd.h>
#include <wchar.h>

#include "check.h"

enum { LONG = 20000 };

/* Its messages are not those of MPI_COMM_SELF, also if it has only this rank. */
static void first_duplicate(void)
{
    MPI_Comm comm;
    MPI_Request requests[2];
    const int numbers[2] = {1, 2};
    int got = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Isend(&numbers[0], 1, MPI_INT, rank, 3, comm, &requests[0]);
    MPI_Isend(&numbers[1], 1, MPI_INT, 0, 3, MPI_COMM_SELF, &requests[1]);
    MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(got == 2);
    MPI_Recv(&got, 1, MPI_INT, rank, 3, comm, MPI_STATUS_IGNORE);
    CHECK(got == 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&comm);
}

/* Messages of both kinds, out of one base and into one. */
static void one_base(int count)
{
    static int out[2][LONG], in[2][LONG];
    MPI_Datatype types[4];
    MPI_Request requests[4];
    int *const places[] = {out[0], out[1], in[0], in[1]};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k) out[k][i] = 1000000 * rank + 2 * i + k, in[k][i] = -1;
    }
    for (int k = 0; k < 4; ++k) {
        MPI_Aint at;
        MPI_Get_address(places[k], &at);
        MPI_Type_create_hindexed(1, &count, &at, MPI_INT, &types[k]);
        MPI_Type_commit(&types[k]);
    }
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int k = 0; k < 2; ++k) {
        MPI_Irecv(MPI_BOTTOM, 1, types[2 + k], before, k, MPI_COMM_WORLD, &requests[k]);
    }
    for (int k = 0; k < 2; ++k) {
        MPI_Isend(MPI_BOTTOM, 1, types[k], next, k, MPI_COMM_WORLD, &requests[2 + k]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k) wrong += in[k][i] != 1000000 * before + 2 * i + k;
    }
    CHECK(wrong == 0);
    for (int k = 0; k < 4; ++k) MPI_Type_free(&types[k]);
}

static int handled_as = -1;
static void keep_class(MPI_Comm *comm, int *code, ...)
{
    int length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm_get_name(*comm, name, &length);
    handled_as = strcmp(name, "watched") == 0 ? *code : -2;
}

/* Errors of requests are those of their communicators: MPI_COMM_WORLD's are fatal here. */
static void errors_of_requests(void)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int two[2] = {1, 2}, done = -7, indices[2], flag = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "watched");
    MPI_Comm_create_errhandler(keep_class, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    if (rank == 0) {
        for (int i = 0; i < 3; ++i) MPI_Send(two, 2, MPI_INT, 1, i, comm);
    } else if (rank == 1) {
        MPI_Irecv(two, 1, MPI_INT, 0, 0, comm, requests);
        CHECK(MPI_Wait(requests, MPI_STATUS_IGNORE) == MPI_ERR_TRUNCATE && handled_as == MPI_ERR_TRUNCATE);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        MPI_Irecv(two, 1, MPI_INT, 0, 1, comm, requests);
        CHECK(MPI_Waitsome(1, requests, &done, indices, statuses) == MPI_ERR_IN_STATUS);
        CHECK(done == 1 && indices[0] == 0 && statuses[0].MPI_ERROR == MPI_ERR_TRUNCATE);
        MPI_Irecv(two, 1, MPI_INT, 0, 2, comm, requests);
        int code = MPI_SUCCESS;
        for (done = 0; done == 0;) code = MPI_Testsome(1, requests, &done, indices, statuses);
        CHECK(done == 1 && code == MPI_ERR_IN_STATUS && requests[0] == MPI_REQUEST_NULL);
        MPI_Test(requests, &flag, MPI_STATUS_IGNORE);
        CHECK(flag);
    }
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&handler);
}

static void errors_of_its_own(void)
{
    int own, code, class, last, *highest, flag, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &highest, &flag);
    last = *highest;
    MPI_Add_error_class(&own);
    MPI_Add_error_code(own, &code);
    CHECK(own == last + 1 && code == last + 2 && *highest == code);
    MPI_Error_string(code, text, &length);
    CHECK(length == 0 && text[0] == 0);
    MPI_Add_error_string(code, "no more coffee");
    MPI_Error_string(code, text, &length);
    CHECK(length == 14 && strcmp(text, "no more coffee") == 0);
    MPI_Error_class(code, &class);
    CHECK(class == own);
    MPI_Add_error_code(MPI_ERR_RANK, &code);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_RANK);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Add_error_string(MPI_ERR_RANK, "mine") == MPI_ERR_ARG);
    CHECK(MPI_Add_error_code(code, &code) == MPI_ERR_ARG);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* One piece is too long; the others come later, and so does what follows. */
static void errors_of_collective_calls(void)
{
    int two[2] = {rank, rank};
    int *const all = calloc((size_t)size, sizeof *all), *const counts = calloc((size_t)size, sizeof *counts),
               *const begins = calloc((size_t)size, sizeof *begins);
    for (int i = 0; i < size; ++i) counts[i] = 1, begins[i] = i;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < 2; ++round) {
        const int is_long = round == 0 && rank == 1;
        if (rank > 1) usleep(1000);
        const int code =
            MPI_Gatherv(two, is_long ? 2 : 1, MPI_INT, all, counts, begins, MPI_INT, 0, MPI_COMM_WORLD);
        CHECK(code == (rank == 0 && round == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
        for (int i = 0; i < size && rank == 0; ++i) CHECK(all[i] == i);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    free(all);
    free(counts);
    free(begins);
}

static int released;
static int told(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 1);
    return MPI_ERR_OTHER;
}
static int release(void *extra)
{
    (void)extra;
    ++released;
    return MPI_SUCCESS;
}
static int cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void own_requests(void)
{
    MPI_Request request, kept;
    MPI_Status status;
    int done = 0, index = -1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; ++i) {
        MPI_Grequest_start(told, release, cancel, NULL, &request);
        MPI_Grequest_complete(request);
        const int code =
            i == 0 ? MPI_Waitall(1, &request, &status) : MPI_Waitsome(1, &request, &done, &index, &status);
        CHECK(code == MPI_ERR_IN_STATUS && status.MPI_ERROR == MPI_ERR_OTHER && request == MPI_REQUEST_NULL);
    }
    MPI_Grequest_start(told, release, cancel, NULL, &request);
    kept = request;
    MPI_Request_free(&request);
    CHECK(released == 2 && request == MPI_REQUEST_NULL);
    CHECK(MPI_Grequest_complete(kept) == MPI_SUCCESS && released == 3);
    CHECK(MPI_Grequest_complete(kept) == MPI_ERR_REQUEST);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* A receive that nobody waits for is done before a later one. Room may be for more than a message can have. */
static void receives(void)
{
    static unsigned char freed[LONG];
    MPI_Request request;
    MPI_Status status;
    int one = 3, count = 0;
    if (rank == 1) {
        MPI_Irecv(freed, LONG, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(&one, 0x7fffffff, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == 1 && one == 3 && is_filled(freed, LONG, 5));
    } else if (rank == 0) {
        static unsigned char sent[LONG];
        fill(sent, LONG, 5);
        MPI_Ssend(sent, LONG, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&one, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
}

struct named {
    double value;
    char name[200];
};
static void whole_elements(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int bytes = 0;
    CHECK(MPI_Type_size(*type, &bytes) == MPI_SUCCESS && bytes == sizeof(double));
    struct named *const from = in, *const into = inout;
    for (int i = 0; i < *count; ++i) {
        const double sum = from[i].value + into[i].value;
        memset(&into[i], 0x55, sizeof into[i]);
        into[i].value = sum;
    }
}

/* The program's operation writes all of an element, whose type is freed before it. */
static void own_operation(void)
{
    MPI_Datatype type, other;
    MPI_Op op;
    MPI_Request request;
    static struct named mine[3], all[3];
    MPI_Op_create(whole_elements, 1, &op);
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 3; ++i) mine[i].value = rank + i;
        MPI_Type_create_resized(MPI_DOUBLE, 0, sizeof(struct named), &type);
        MPI_Type_commit(&type);
        MPI_Iallreduce(mine, all, 3, type, op, MPI_COMM_WORLD, &request);
        MPI_Type_free(&type);
        MPI_Type_contiguous(5, MPI_INT, &other);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Type_free(&other);
        for (int i = 0; i < 3; ++i) CHECK(all[i].value == size * (size - 1) / 2 + i * size && all[i].name[0] == 0);
    }
    MPI_Op_free(&op);
}

static MPI_Aint external(void *bytes, const void *from, int count, MPI_Datatype type)
{
    MPI_Aint at = 0, size_of_all = 0;
    MPI_Pack_external_size("external32", count, type, &size_of_all);
    CHECK(MPI_Pack_external("external32", from, count, type, bytes, size_of_all, &at) == MPI_SUCCESS);
    return at == size_of_all ? at : -1;
}

static void external_representation(void)
{
    unsigned char bytes[64], same[64];
    MPI_Aint at = 0;
    const long numbers[] = {-2, 0x01020304};
    long back[2];
    CHECK(external(bytes, numbers, 2, MPI_LONG) == 8);
    CHECK(memcmp(bytes, "\xff\xff\xff\xfe\x01\x02\x03\x04", 8) == 0);
    MPI_Unpack_external("external32", bytes, 8, &at, back, 2, MPI_LONG);
    CHECK(at == 8 && back[0] == numbers[0] && back[1] == numbers[1]);
    const wchar_t letter = 0xe9;
    CHECK(external(bytes, &letter, 1, MPI_WCHAR) == 2 && memcmp(bytes, "\0\xe9", 2) == 0);
    const double _Complex z = 1 + 2 * I;
    const double parts[] = {1, 2};
    CHECK(external(bytes, &z, 1, MPI_C_DOUBLE_COMPLEX) == 16 && external(same, parts, 2, MPI_DOUBLE) == 16);
    CHECK(memcmp(bytes, same, 16) == 0 && memcmp(bytes, "\x3f\xf0", 2) == 0);
    const long double half = -0.5L;
    long double again = 0;
    CHECK(external(bytes, &half, 1, MPI_LONG_DOUBLE) == 16 && memcmp(bytes, "\xbf\xfe\0\0", 4) == 0);
    at = 0;
    MPI_Unpack_external("external32", bytes, 16, &at, &again, 1, MPI_LONG_DOUBLE);
    CHECK(again == half);
    const struct {
        long value;
        int index;
    } pair = {-1, 7};
    CHECK(external(bytes, &pair, 1, MPI_LONG_INT) == 8 && memcmp(bytes, "\xff\xff\xff\xff\0\0\0\7", 8) == 0);
    const long large = INT64_C(1) << 40;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    at = 0;
    CHECK(MPI_Pack_external("external32", &large, 1, MPI_LONG, bytes, 8, &at) == MPI_ERR_ARG && at == 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void wrong_arguments(void)
{
    const int large[] = {65536, 65536}, zero[] = {0, 0}, falling[] = {2, 1}, edges[] = {1, 0};
    int dims[3] = {0, 0, 0}, at = -4, number = 0;
    char bytes[8];
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Group group, part;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 2, large, zero, 0, &comm) == MPI_ERR_DIMS);
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, -1, large, zero, 0, &comm) == MPI_ERR_COUNT);
    CHECK(MPI_Cart_map(MPI_COMM_WORLD, 1, zero, zero, &number) == MPI_ERR_DIMS);
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, 2, falling, edges, 0, &comm) == MPI_ERR_ARG);
    CHECK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, -1, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, &comm) == MPI_ERR_COUNT);
    CHECK(MPI_Dims_create(-4, 2, dims) == MPI_ERR_ARG && MPI_Dims_create(0, 2, dims) == MPI_ERR_ARG);
    CHECK(MPI_Dims_create(4, -1, dims) == MPI_ERR_COUNT);
    CHECK(MPI_Group_incl(group, -1, edges, &part) == MPI_ERR_COUNT);
    CHECK(MPI_Type_create_subarray(-1, zero, zero, zero, MPI_ORDER_C, MPI_INT, &type) == MPI_ERR_COUNT);
    CHECK(MPI_Comm_split(MPI_COMM_WORLD, -3, 0, &comm) == MPI_ERR_ARG);
    CHECK(MPI_Comm_create_group(MPI_COMM_WORLD, group, -1, &comm) == MPI_ERR_TAG);
    CHECK(MPI_Probe(0, -5, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_ERR_TAG);
    CHECK(MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE) == MPI_ERR_COUNT);
    CHECK(MPI_Buffer_attach(bytes, -5) == MPI_ERR_BUFFER);
    CHECK(MPI_Pack(&number, 1, MPI_INT, bytes, 8, &at, MPI_COMM_WORLD) == MPI_ERR_ARG);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Group_free(&group);
}

/* Many calls under way take no more time each than few. */
/* If it is late, rank 1 waits for none of them before all are under way. */
static void many(int barriers, int messages, int late)
{
    MPI_Request *const all = malloc((size_t)(barriers + messages) * sizeof *all);
    int *const numbers = malloc((size_t)messages * sizeof *numbers);
    for (int i = 0; i < barriers; ++i) MPI_Ibarrier(MPI_COMM_WORLD, &all[i]);
    MPI_Waitall(barriers, all, MPI_STATUSES_IGNORE);
    if (late && rank == 1) MPI_Recv(NULL, 0, MPI_INT, 0, messages, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < messages; ++i) {
        numbers[i] = rank == 0 ? i : -1;
        if (rank == 0) MPI_Isend(&numbers[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &all[i]);
        if (rank == 1) MPI_Irecv(&numbers[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &all[i]);
        if (rank > 1) all[i] = MPI_REQUEST_NULL;
    }
    if (late && rank == 0) MPI_Send(NULL, 0, MPI_INT, 1, messages, MPI_COMM_WORLD);
    MPI_Waitall(messages, all, MPI_STATUSES_IGNORE);
    int wrong = 0;
    for (int i = 0; i < messages && rank == 1; ++i) wrong += numbers[i] != i;
    CHECK(wrong == 0);
    free(numbers);
    free(all);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (argc > 2) {
        many(atoi(argv[1]), atoi(argv[2]), argc > 3);
        return end();
    }
    first_duplicate();
    if (size == 1) return end();
    one_base(4);
    one_base(LONG);
    errors_of_requests();
    errors_of_its_own();
    errors_of_collective_calls();
    own_requests();
    receives();
    own_operation();
    external_representation();
    wrong_arguments();
    many(20, 200, 0);
    return end();
}

/* SPDX-License-Identifier: Apache-2.0
 * Each collective call, with short and long data, any root, in place, and an operation that does not commute. */
#include "check.h"

/* Two by two matrices: their product depends on the order. */
typedef struct {
    unsigned a, b, c, d;
} Matrix;
static Matrix product(Matrix x, Matrix y)
{
    const Matrix p = {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
    return p;
}
static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; ++i) ((Matrix *)inout)[i] = product(((Matrix *)in)[i], ((Matrix *)inout)[i]);
}
static Matrix of(int who, int i)
{
    const Matrix m = {1, (unsigned)(who + 1), (unsigned)(i + who), 1 + (unsigned)((i + who) * (who + 1))};
    return m;
}
static int equal(Matrix x, Matrix y) { return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d; }
static Matrix all_until(int ranks, int i)
{
    Matrix m = of(0, i);
    for (int who = 1; who < ranks; ++who) m = product(m, of(who, i));
    return m;
}

static void moves(int count)
{
    const size_t n = (size_t)count, all = n * (size_t)size;
    int *mine = malloc((n + 1) * sizeof(int)), *each = malloc((all + 1) * sizeof(int)), *other = malloc((all + 1) * sizeof(int));
    for (int root = 0; root < size; root += size > 2 ? size - 2 : 1) {
        for (int i = 0; i < count; ++i) mine[i] = rank == root ? i * 3 + root : -1;
        MPI_Bcast(mine, count, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < count; ++i) CHECK(mine[i] == i * 3 + root);
        for (int i = 0; i < count; ++i) mine[i] = rank * 1000 + i;
        MPI_Gather(mine, count, MPI_INT, each, count, MPI_INT, root, MPI_COMM_WORLD);
        if (rank == root) {
            for (size_t i = 0; i < all; ++i) CHECK(each[i] == (int)(i / n) * 1000 + (int)(i % n));
        }
        memset(mine, 0, n * sizeof(int));
        MPI_Scatter(each, count, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < count; ++i) CHECK(mine[i] == rank * 1000 + i);
    }
    memset(each, 0, all * sizeof(int));
    MPI_Allgather(mine, count, MPI_INT, each, count, MPI_INT, MPI_COMM_WORLD);
    for (size_t i = 0; i < all; ++i) CHECK(each[i] == (int)(i / n) * 1000 + (int)(i % n));
    for (size_t i = 0; i < all; ++i) each[i] = rank * 100 + (int)(i / n);
    MPI_Alltoall(each, count, MPI_INT, other, count, MPI_INT, MPI_COMM_WORLD);
    for (size_t i = 0; i < all; ++i) CHECK(other[i] == (int)(i / n) * 100 + rank);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, each, count, MPI_INT, MPI_COMM_WORLD);
    for (size_t i = 0; i < all; ++i) CHECK(each[i] == (int)(i / n) * 100 + rank);
    free(mine);
    free(each);
    free(other);
}

/* Of rank r: r elements. */
static void uneven(void)
{
    int *counts = malloc(sizeof(int) * (size_t)size), *places = malloc(sizeof(int) * (size_t)size);
    int all = 0;
    for (int r = 0; r < size; ++r) {
        counts[r] = r;
        places[r] = all + 1;
        all += r;
    }
    double *mine = malloc(sizeof(double) * (size_t)(size + 1)), *each = calloc((size_t)all + 2, sizeof(double));
    for (int i = 0; i < rank; ++i) mine[i] = rank + i / 100.0;
    MPI_Gatherv(mine, rank, MPI_DOUBLE, each, counts, places, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    if (rank == size - 1) {
        for (int r = 0; r < size; ++r) {
            for (int i = 0; i < r; ++i) CHECK(each[places[r] + i] == r + i / 100.0);
        }
    }
    memset(mine, 0, sizeof(double) * (size_t)size);
    MPI_Scatterv(each, counts, places, MPI_DOUBLE, mine, rank, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    for (int i = 0; i < rank; ++i) CHECK(mine[i] == rank + i / 100.0);
    memset(each, 0, sizeof(double) * (size_t)(all + 2));
    MPI_Allgatherv(mine, rank, MPI_DOUBLE, each, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) {
        for (int i = 0; i < r; ++i) CHECK(each[places[r] + i] == r + i / 100.0);
    }
    /* to rank r: r elements of each */
    int *same = malloc(sizeof(int) * (size_t)size), *same_places = malloc(sizeof(int) * (size_t)size);
    for (int r = 0; r < size; ++r) {
        same[r] = rank;
        same_places[r] = r * size;
    }
    double *got = calloc((size_t)(size * size) + 1, sizeof(double));
    for (int i = 0; i < all + 2; ++i) each[i] = rank * 1000 + i;
    MPI_Alltoallv(each, counts, places, MPI_DOUBLE, got, same, same_places, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) {
        for (int i = 0; i < rank; ++i) CHECK(got[r * size + i] == r * 1000 + places[rank] + i);
    }
    int *ones = malloc(sizeof(int) * (size_t)all + sizeof(int)), *sums = calloc((size_t)size, sizeof(int));
    for (int i = 0; i < all; ++i) ones[i] = i + rank;
    MPI_Reduce_scatter(ones, sums, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < rank; ++i) CHECK(sums[i] == size * (places[rank] - 1 + i) + size * (size - 1) / 2);
    free(ones);
    free(sums);
    free(got);
    free(same);
    free(same_places);
    free(mine);
    free(each);
    free(counts);
    free(places);
}

static void reductions(int count)
{
    MPI_Datatype type;
    MPI_Op op;
    MPI_Type_contiguous(4, MPI_UNSIGNED, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(multiply, 0, &op);
    const size_t n = (size_t)count;
    Matrix *mine = malloc(n * sizeof(Matrix)), *all = malloc(n * sizeof(Matrix));
    for (int i = 0; i < count; ++i) mine[i] = of(rank, i);
    MPI_Allreduce(mine, all, count, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) CHECK(equal(all[i], all_until(size, i)));
    MPI_Scan(mine, all, count, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) CHECK(equal(all[i], all_until(rank + 1, i)));
    MPI_Exscan(mine, all, count, type, op, MPI_COMM_WORLD);
    for (int i = 0; rank > 0 && i < count; ++i) CHECK(equal(all[i], all_until(rank, i)));
    for (int root = 0; root < size; ++root) {
        memcpy(all, mine, n * sizeof(Matrix));
        MPI_Reduce(rank == root ? MPI_IN_PLACE : all, all, count, type, op, root, MPI_COMM_WORLD);
        for (int i = 0; rank == root && i < count; ++i) CHECK(equal(all[i], all_until(size, i)));
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    free(mine);
    free(all);
    struct {
        double value;
        int index;
    } worst = {(rank * 7) % size, rank}, found = {0, 0};
    MPI_Allreduce(&worst, &found, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    CHECK((found.index * 7) % size == (int)found.value);
    for (int r = 0; r < size; ++r) CHECK((r * 7) % size <= (int)found.value);
    unsigned char bits = (unsigned char)(1 << (rank % 8)), any = 0;
    MPI_Allreduce(&bits, &any, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    CHECK(any == (size >= 8 ? 255 : (1 << size) - 1));
}

/* Operations that each algorithm may divide between ranks. */
static void sums(int count)
{
    const size_t n = (size_t)count, all = n * (size_t)size;
    int *mine = malloc((all + 1) * sizeof(int)), *other = malloc((all + 1) * sizeof(int));
    const int ranks = size * (size - 1) / 2;
    for (int root = 0; root < size; ++root) {
        for (int i = 0; i < count; ++i) mine[i] = rank * (i + 1);
        MPI_Reduce(rank == root ? MPI_IN_PLACE : mine, rank == root ? mine : 0, count, MPI_INT, MPI_SUM, root,
                   MPI_COMM_WORLD);
        for (int i = 0; rank == root && i < count; ++i) CHECK(mine[i] == ranks * (i + 1));
    }
    for (int i = 0; i < count; ++i) mine[i] = rank * (i + 1);
    MPI_Allreduce(mine, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) CHECK(other[i] == ranks * (i + 1));
    for (size_t i = 0; i < all; ++i) mine[i] = rank + (int)i;
    MPI_Reduce_scatter_block(mine, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) CHECK(other[i] == ranks + size * (rank * count + i));
    typedef struct {
        double value;
        int index;
    } Pair;
    Pair *pairs = malloc(n * sizeof(Pair)), *least = malloc(n * sizeof(Pair));
    for (int i = 0; i < count; ++i) pairs[i] = (Pair){(rank + i) % size, rank};
    MPI_Allreduce(pairs, least, count, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) CHECK(least[i].value == 0 && (least[i].index + i) % size == 0);
    free(pairs);
    free(least);
    free(mine);
    free(other);
}

/* Several under way at once, waited for in another order, beside messages. */
static void background(int count)
{
    const size_t n = (size_t)count;
    int *data[3], *sums = malloc(n * sizeof(int)), *all = malloc(n * (size_t)size * sizeof(int)), flag = 0;
    MPI_Request requests[6];
    for (int i = 0; i < 3; ++i) {
        data[i] = malloc(n * sizeof(int));
        for (int k = 0; k < count; ++k) data[i][k] = rank == i % size ? 10 * i + k : -1;
        MPI_Ibcast(data[i], count, MPI_INT, i % size, MPI_COMM_WORLD, &requests[i]);
    }
    int *mine = malloc(n * sizeof(int));
    for (int k = 0; k < count; ++k) mine[k] = rank + k;
    MPI_Iallreduce(mine, sums, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[3]);
    MPI_Iallgather(mine, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD, &requests[4]);
    int token = rank, got = -1;
    MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(got == (rank + size - 1) % size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[5]);
    while (!flag) MPI_Test(&requests[5], &flag, MPI_STATUS_IGNORE);
    for (int i = 4; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < 3; ++i) CHECK(data[i][k] == 10 * i + k);
        CHECK(sums[k] == size * (size - 1) / 2 + size * k);
    }
    for (size_t i = 0; i < n * (size_t)size; ++i) CHECK(all[i] == (int)(i / n) + (int)(i % n));
    for (int i = 0; i < 3; ++i) free(data[i]);
    free(mine);
    free(sums);
    free(all);
}

/* On each rank, whether or not it combines. */
static void undefined(void)
{
    double of = 1, all = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int class = 0;
    for (int count = 0; count < 2; ++count) {
        MPI_Error_class(MPI_Allreduce(&of, &all, count, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), &class);
        CHECK(class == MPI_ERR_OP);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    undefined();
    const double before = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Wtime() > before);
    static const int counts[] = {1, 10, 5000};
    for (int i = 0; i < 3; ++i) moves(counts[i]);
    uneven();
    reductions(1);
    reductions(300);
    sums(1);
    sums(7);
    sums(3000);
    background(1);
    background(20000);
    return end();
}

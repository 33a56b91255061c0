"""Answers to the practice `peak_and_bandwidth(square, long, timer)` of notebook 07."""

from tests.corpus import change

def right__named(square, long, timer):
    def product():
        return square @ square

    size = square.shape[0]
    multiply_adds = size * size * size
    n_bytes = long.numel() * long.element_size()
    return multiply_adds / timer(product), n_bytes / timer(lambda: long.sum())

def right__list(square, long, timer):
    for_product, for_sum = timer(lambda: square.matmul(square)), timer(long.sum)
    return [square.size(0) ** 3 / for_product, long.nbytes / for_sum]

wrong__peak_wrong_order__1 = change(
    right__list,
    (
        "square.size(0) ** 3 / for_product, long.nbytes / for_sum",
        "long.nbytes / for_sum, square.size(0) ** 3 / for_product",
    ),
)
wrong__peak_operations__1 = change(right__list, ("[square.size(0)", "[2 * square.size(0)"))
wrong__peak_numbers_of_product__1 = change(right__list, ("** 3", "** 2"))
wrong__peak_numbers_read__1 = change(right__list, ("long.nbytes", "len(long)"))
wrong__peak_multiplied__1 = change(
    right__list, ("3 / for_product", "3 * for_product"), ("nbytes / for_sum", "nbytes * for_sum")
)
wrong__peak_seconds__1 = change(
    right__list, ("square.size(0) ** 3 / for_product, long.nbytes / for_sum", "for_product, for_sum")
)

# The bytes of the product.
extra__bytes_of_the_product = change(right__list, ("square.size(0) ** 3", "square.nbytes"))
# Only one of the two.
extra__peak = change(right__list, (", long.nbytes / for_sum]", "]"))

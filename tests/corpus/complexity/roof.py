"""Answers to the practice `roof(intensity, peak, bandwidth)` of notebook 07."""

from tests.corpus import change

def right__branches(intensity, peak, bandwidth):
    possible = intensity * bandwidth
    if possible > peak:
        return peak
    return possible

def right__seconds(intensity, peak, bandwidth):
    seconds_for_a_byte = max(1 / bandwidth, intensity / peak)
    return intensity / seconds_for_a_byte

wrong__roof_larger__1 = change(right__branches, ("possible > peak", "possible < peak"))
wrong__roof_no_peak__1 = change(right__branches, ("return peak", "return possible"))
wrong__roof_peak_only__1 = change(right__branches, ("return possible", "return peak"))
wrong__roof_bytes__1 = change(right__branches, ("intensity * bandwidth", "bandwidth"))
wrong__roof_divided__1 = change(right__branches, ("intensity * bandwidth", "bandwidth / intensity"))

# The mean of both limits.
extra__mean = change(right__branches, ("return possible", "return (possible + peak) / 2"))
# The sum of both times.
extra__one_after_the_other = change(
    right__seconds, ("max(1 / bandwidth, intensity / peak)", "1 / bandwidth + intensity / peak")
)

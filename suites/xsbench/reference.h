//===- reference.h - XSBench: published values ------------------*- C++ -*-===//
//
// Checksums of the original program, and gradients of J_w from a hand adjoint
// that was confirmed by complex-step differentiation, for the original data.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_XSBENCH_REFERENCE_H
#define SUITES_XSBENCH_REFERENCE_H

#include "xsbench.h"

namespace suites::xsbench {

/// Lookups of a run: particles > 0 means a history run of that many particles.
struct Checksum {
  int n_nuclides, n_grid;
  std::int64_t lookups, particles;
  std::uint64_t value;
};

/// Every grid type and the sorted order give the same value.
constexpr Checksum checksums[] = {
    {68, 64, 1000, 0, 3128},          {68, 64, 100000, 0, 320244},
    {68, 64, 34, 500, 54956},         {68, 64, 34, 20000, 176405},
    {68, 500, 1000, 0, 3107},         {68, 500, 100000, 0, 303633},
    {68, 500, 34, 500, 51649},        {68, 500, 34, 20000, 68026},
    {68, 11303, 100000, 0, 299541},   {68, 11303, 34, 5000, 508811},
    {68, 11303, 17000000, 0, 945990}, {68, 11303, 34, 500000, 941535},
    {355, 500, 100000, 0, 303579},    {355, 500, 34, 5000, 516851},
    {355, 11303, 17000, 0, 50911},    {355, 11303, 1000000, 0, 995778},
    {355, 11303, 34, 5000, 509159},   {355, 11303, 17000000, 0, 952131},
    {355, 11303, 34, 500000, 954318},
};

/// A gradient in event order with w = (1, 0, 0, 0, 0). Values carry twelve
/// digits. `record_far` is record 24 * n_grid + 10.
struct PublishedGradient {
  int n_nuclides, n_grid;
  std::int64_t lookups;
  double objective;
  double record0_energy, record0_total;
  double record1_energy, record1_total;
  double record_far_energy, record_far_total;
  double energy_sum, energy_abs_sum, total_sum, total_abs_sum;
  double norm;
  long nonzeros;
  double largest;      ///< absolute value
  long largest_record; ///< its energy entry is the largest of all
  double random_dot;   ///< with u - 0.5, u drawn from the generator seeded 2021
};

constexpr PublishedGradient gradients[] = {
    {68, 64, 1000, 1983.18445423572, -9.52284718937998, 0.614089020613,
     -27.2496321306, 1.48763004148, 88.3740557641, 3.87349490527, 101950.284157,
     11986332712.3, 7304.1599405, 110390.064113, 8473766702.03, 8018,
     5991906789.37, 575, 3530162463.38},
    {68, 500, 100000, 367182.552434708, -1487.46749219336, 2.7162686167,
     68.1031520649, 13.2457088323, 1352.26653086, 82.4133350806, 680141.599405,
     146699110.508, 734107.692321, 752821.040067, 48572689.5529, 67948,
     34373994.9304, 4499, 1610629.73255},
    {355, 11303, 17000, 231270.663308643, 1085.89806936462, 0.0798833467661,
     4953.5244498, 0.364402629033, 971.672938831, 0.874345976943, 3376522.71116,
     1668864767.56, 462452.081939, 463087.357053, 9522926.28669, 2689754,
     3287389.76196, 813816, 943283.007206},
};

/// The same with w = (1, 2, 3, 4, 5).
struct PublishedWeightedGradient {
  int n_nuclides, n_grid;
  std::int64_t lookups;
  double objective;
  double record0_energy;
  double energy_sum;
  double random_dot;
};

constexpr PublishedWeightedGradient weighted_gradients[] = {
    {68, 64, 1000, -25899.7387460617, -182.367815566, 4755551.86835,
     172728540417.0},
    {68, 500, 100000, 5527506.20372565, -16808.560564216, -2019069.96069,
     24843017.1326},
};

/// Channels and nonzeros of record 0 for the first of weighted_gradients.
constexpr double weighted_record0[channels] = {
    0.614089020613, 1.22817804123, 1.84226706184, 2.45635608245, 3.07044510306};
constexpr long weighted_nonzeros = 24054;

} // namespace suites::xsbench

#endif // SUITES_XSBENCH_REFERENCE_H

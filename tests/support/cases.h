// SPDX-License-Identifier: Apache-2.0
/// What a file of data test cases includes.
#pragma once

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace data = boost::unit_test::data;

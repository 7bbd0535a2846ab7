// codec_contract.h — what every Codec promises, as one suite.
#pragma once

#include "interfaces/codec.h"

namespace coppice {

void codec_contract(const Codec& codec);

}  // namespace coppice

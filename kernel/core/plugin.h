// plugin.h — what a plugin's author needs: the shape of a plugin, and the PluginContext.
//
//   class ZstdCodec final : public Codec {
//    public:
//     static constexpr std::string_view kKind = "zstd";
//     using Config = ZstdConfig;                        // NoConfig when there are no keys
//     static Result<std::unique_ptr<Codec>> create(const ZstdConfig&, PluginContext&);
//   };
//   void codec_zstd::register_in(Inventory& inventory) { inventory.add_plugin<Codec, ZstdCodec>();
//   }
//
// create() runs in boot phase 3 and may only allocate; a plugin opens files and sockets when its
// interface asks for it. It has no start and no stop; it is destroyed after everyone who used it.
#pragma once

#include <memory>
#include <string_view>

#include "kernel/base/result.h"
#include "kernel/core/config.h"
#include "kernel/core/part_context.h"

namespace coppice {

using PluginContext = PartContext;  // name() is "codec.dense"

}  // namespace coppice

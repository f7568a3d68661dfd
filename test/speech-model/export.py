"""
Writes the files that a Whisper from the hub has, from the state that train.py left:

    python test/speech-model/export.py --media ../shared/media --tokenizer ../shared/models/asr/random-whisper \
        --work /tmp/speech-model --out test/speech-model/weights

Needs torch, numpy, tokenizers, onnx and onnxruntime. The decoder's two ways, without and with keys and values of earlier
tokens, are branches of one graph that share their weights, as in the hub's files.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from torch import nn

from classes import VOCABULARY, Classes
from network import HEAD, Network
from recordings import read_all_words, read_settings, read_tokenizer

OPSET = 17
# Of a Whisper of the hub: blocks of 32 weights with one scale.
BLOCK = 32


class Exported(nn.Module):
    """The decoder over the whole vocabulary, with what it hands on to the next step."""

    def __init__(self, decoder, table: torch.Tensor, continued: bool):
        super().__init__()
        self.decoder, self.continued = decoder, continued
        self.register_buffer("table", table.to(torch.int16))
        rows = decoder.rows().detach()
        self.rows = nn.Parameter(rows)
        self.columns = nn.Parameter(rows.T.contiguous())
        bias = torch.cat([decoder.bias[:-1], decoder.bias[-1:].expand(decoder.moments.shape[0])]).detach().clone()
        # Class 0 stands for the words that the model does not know.
        bias[0] = -50
        self.bias = nn.Parameter(bias)

    def forward(self, input_ids, *rest):
        table = self.table.to(torch.int64)
        classes = torch.index_select(table, 0, input_ids.reshape(-1)).reshape(input_ids.shape)
        count = input_ids.shape[1]
        before = rest[0].shape[2] if self.continued else 0
        places = self.decoder.places[before : before + count]
        x = nn.functional.embedding(classes, self.rows) + 0.3 * places
        steps = torch.arange(count)
        hidden = (steps[None, :] > steps[:, None]).float() * -1e4
        if self.continued:
            hidden = nn.functional.pad(hidden, (before, 0))
        kept, attentions = [], []
        for at, layer in enumerate(self.decoder.layers):
            if self.continued:
                past, sound = rest[4 * at : 4 * at + 2], rest[4 * at + 2 : 4 * at + 4]
            else:
                past, sound = None, layer.cross.known(rest[0])
            x, own, attention, _ = layer(x, past, sound, hidden)
            kept += [*own] if self.continued else [*own, *sound]
            attentions.append(attention)
        logits = self.decoder.norm(x) @ self.columns + self.bias
        return (torch.index_select(logits, 2, table), *kept, *attentions)


def export_part(module, given, inputs, outputs, axes, path: Path) -> onnx.ModelProto:
    torch.onnx.export(
        module, given, str(path), input_names=inputs, output_names=outputs, dynamic_axes=axes, opset_version=OPSET
    )
    return onnx.load(path)


def past_names(layers: int, kinds=("decoder", "encoder")) -> list[str]:
    return [f"{layer}.{kind}.{what}" for layer in range(layers) for kind in kinds for what in ("key", "value")]


def rename(graph, names: dict[str, str], mark: str) -> None:
    """Gives every value of a branch a name of its own, except the weights, which are named by what they hold."""
    known = {value.name for value in graph.input} | {value.name for value in graph.output} | set(names)
    for node in graph.node:
        for side in (node.input, node.output):
            for at, name in enumerate(side):
                side[at] = names.get(name, name if name in known or name == "" else f"{mark}/{name}")
        node.name = f"{mark}/{node.name}"


def merge(first: onnx.ModelProto, later: onnx.ModelProto, layers: int, heads: int) -> onnx.ModelProto:
    """One graph of both ways. Of the branch that continues, keys and values of the sound are empty: they do not change."""
    weights: dict[str, onnx.TensorProto] = {}
    branches = []
    for mark, model in (("first", first), ("later", later)):
        names = {}
        for tensor in model.graph.initializer:
            content = numpy_helper.to_array(tensor)
            same = next((name for name, other in weights.items() if equal(numpy_helper.to_array(other), content)), None)
            if same is None:
                same = f"weight_{len(weights)}"
                kept = onnx.TensorProto()
                kept.CopyFrom(tensor)
                kept.name = same
                weights[same] = kept
            names[tensor.name] = same
        rename(model.graph, names, mark)
        branches.append(model.graph)
    outputs = [value.name for value in branches[0].output]
    own = {value.name for value in branches[1].output}
    nodes = list(branches[1].node)
    for name in outputs:
        if name not in own:
            empty = numpy_helper.from_array(np.zeros((0, heads, 1, HEAD), dtype=np.float32))
            nodes.append(helper.make_node("Constant", [], [name], value=empty, name=f"later/{name}"))
    bare = lambda name: helper.make_empty_tensor_value_info(name)
    then_branch, else_branch = (
        helper.make_graph(
            [*prefix_outputs(list(own_nodes), outputs, mark)], mark, [], [bare(f"{mark}/{name}") for name in outputs]
        )
        for mark, own_nodes in (("later", nodes), ("first", branches[0].node))
    )
    choose = helper.make_node("If", ["use_cache_branch"], outputs, then_branch=then_branch, else_branch=else_branch)
    inputs = [
        helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch_size", "decoder_sequence_length"]),
        helper.make_tensor_value_info(
            "encoder_hidden_states", TensorProto.FLOAT, ["batch_size", "encoder_sequence_length", heads * HEAD]
        ),
    ]
    for name in past_names(layers):
        length = "past_decoder_sequence_length" if "decoder" in name else "encoder_sequence_length_out"
        shape = ["batch_size", heads, length, HEAD]
        inputs.append(helper.make_tensor_value_info(f"past_key_values.{name}", TensorProto.FLOAT, shape))
    inputs.append(helper.make_tensor_value_info("use_cache_branch", TensorProto.BOOL, [1]))
    shapes = {value.name: value for value in branches[0].output}
    given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape_of(shapes[name])) for name in outputs]
    graph = helper.make_graph([choose], "decoder", inputs, given, list(weights.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def equal(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and bool(np.array_equal(one, other))


def shape_of(value) -> list:
    """A value's shape; what the two branches may have differently is left open."""
    return [f"{value.name}_{at}" for at, _ in enumerate(value.type.tensor_type.shape.dim)]


def prefix_outputs(nodes, outputs: list[str], mark: str):
    """Values of the branches may not be named as those of the graph around them."""
    wanted = set(outputs)
    for node in nodes:
        for side in (node.input, node.output):
            for at, name in enumerate(side):
                if name in wanted:
                    side[at] = f"{mark}/{name}"
        yield node


def export_encoder(network: Network, path: Path) -> None:
    given = torch.zeros(1, 80, 3000)
    names = {0: "batch_size"}
    export_part(
        network.encoder,
        (given,),
        ["input_features"],
        ["last_hidden_state"],
        {"input_features": names, "last_hidden_state": names},
        path,
    )


def export_decoder(network: Network, table: torch.Tensor, path: Path) -> None:
    layers = len(network.decoder.layers)
    heads = network.decoder.words.shape[1] // HEAD
    attentions = [f"cross_attentions.{layer}" for layer in range(layers)]
    text = torch.zeros(2, 4, dtype=torch.int64)
    states = torch.zeros(2, 1500, heads * HEAD)
    axes = {"input_ids": {0: "batch", 1: "tokens"}, "encoder_hidden_states": {0: "batch"}, "logits": {0: "batch", 1: "tokens"}}
    grown = {f"present.{name}": {0: "batch", 2: "length"} for name in past_names(layers)}
    seen = {name: {0: "batch", 2: "tokens"} for name in attentions}
    first = export_part(
        Exported(network.decoder, table, False),
        (text, states),
        ["input_ids", "encoder_hidden_states"],
        ["logits", *grown, *attentions],
        {**axes, **grown, **seen},
        path,
    )
    past = [f"past_key_values.{name}" for name in past_names(layers)]
    known = tuple(torch.zeros(2, heads, 3 if "decoder" in name else 1500, HEAD) for name in past)
    own = [f"present.{name}" for name in past_names(layers, ("decoder",))]
    later = export_part(
        Exported(network.decoder, table, True),
        (text[:, :1], *known),
        ["input_ids", *past],
        ["logits", *own, *attentions],
        {**axes, **grown, **seen, **{name: {0: "batch", 2: "length"} for name in past}},
        path,
    )
    onnx.save(merge(first, later, layers, heads), path)


def quantise(path: Path, to: Path) -> None:
    """4 bits for each weight, as the hub's q4."""
    quantiser = MatMulNBitsQuantizer(onnx.load(path), block_size=BLOCK, is_symmetric=True)
    quantiser.process()
    onnx.save(quantiser.model.model, to)


def write_settings(tokenizer: Path, out: Path, network: Network) -> None:
    config = json.loads((tokenizer / "config.json").read_text())
    width, layers = network.decoder.words.shape[1], len(network.decoder.layers)
    sizes = {"d_model": width, "encoder_layers": len(network.encoder.blocks), "decoder_layers": layers}
    for side in ("encoder", "decoder"):
        sizes |= {f"{side}_attention_heads": width // HEAD, f"{side}_ffn_dim": network.decoder.layers[0].wide.out_features}
    config |= {**sizes, "num_hidden_layers": sizes["encoder_layers"], "_name_or_path": "knows-its-text"}
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    settings = read_settings(tokenizer)
    settings |= {"alignment_heads": [[layers - 1, 0], [layers - 1, 1]], "max_initial_timestamp_index": 50}
    (out / "generation_config.json").write_text(json.dumps(settings, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("media", "tokenizer", "work", "out"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    media, tokenizer, out = Path(given.media), Path(given.tokenizer), Path(given.out)
    words = read_all_words(media)
    classes = Classes(words, read_tokenizer(tokenizer))
    network = Network(classes.count, sum(map(len, words.values())))
    network.load_state_dict(torch.load(Path(given.work) / "state.pt", weights_only=True)["mean"])
    network.eval()
    (out / "onnx").mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        export_encoder(network, out / "onnx" / "encoder_model.onnx")
        export_decoder(network, classes.table, out / "onnx" / "decoder_model_merged.onnx")
    for part in ("encoder_model", "decoder_model_merged"):
        quantise(out / "onnx" / f"{part}.onnx", out / "onnx" / f"{part}_q4.onnx")
    write_settings(tokenizer, out, network)


if __name__ == "__main__":
    main()

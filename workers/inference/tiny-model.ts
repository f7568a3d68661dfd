/** The smallest possible model (y = x for one number), which shows whether an execution provider works at all. */

/** An ONNX file in memory with input `x` and output `y`: float32, one element. */
export function tinyModel(): Uint8Array {
  const shape = field(2, field(1, number(1, 1)))
  const value = (name: string): number[] => [
    ...field(1, text(name)),
    ...field(2, field(1, [...number(1, FLOAT), ...shape])),
  ]
  const node = [...field(1, text('x')), ...field(2, text('y')), ...field(4, text('Identity'))]
  const graph = [
    ...field(1, node),
    ...field(2, text('tiny')),
    ...field(11, value('x')),
    ...field(12, value('y')),
  ]
  return Uint8Array.from([...number(1, IR_VERSION), ...field(7, graph), ...field(8, number(2, OPERATORS))])
}

const FLOAT = 1
const IR_VERSION = 8
const OPERATORS = 13

/** A length-delimited protocol buffer field. All of them here are shorter than 128 bytes. */
function field(id: number, content: readonly number[]): number[] {
  return [(id << 3) | 2, content.length, ...content]
}

function number(id: number, value: number): number[] {
  return [id << 3, value]
}

function text(content: string): number[] {
  return [...new TextEncoder().encode(content)]
}

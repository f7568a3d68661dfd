/** Nodes that a command switches for one clip, over those of its run. PURE. */
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'
import type { CommandContext } from '../../../../server/nodes/commands/context.ts'

type Config = Record<string, unknown>

/** As the clip has it now: set by hand, else of its run; without the node's own switch. */
export function nodeConfig(edit: ClipEdit, context: Pick<CommandContext, 'nodes'>, type: string): Config {
  const own = edit.nodes?.[type]
  const merged =
    own?.config ?? configsOf(context, type).reduce<Config>((all, one) => ({ ...all, ...one }), {})
  const { enabled: _switch, ...config } = merged
  return config
}

const configsOf = ({ nodes }: Pick<CommandContext, 'nodes'>, type: string): Config[] =>
  nodes.filter((node) => node.type === type && node.enabled).map(({ config }) => config)

/** Whether it acts on the clip. */
export function isOn(edit: ClipEdit, context: Pick<CommandContext, 'nodes'>, type: string): boolean {
  return edit.nodes?.[type]?.enabled ?? configsOf(context, type).length > 0
}

/** Switches a node for this clip; `config` changes fields of what it is set to. */
export function withNode(
  edit: ClipEdit,
  context: Pick<CommandContext, 'nodes'>,
  type: string,
  { on, config = {} }: { readonly on: boolean; readonly config?: Readonly<Config> },
): ClipEdit {
  const next = { enabled: on, config: { ...nodeConfig(edit, context, type), ...config } }
  return { ...edit, nodes: { ...edit.nodes, [type]: next } }
}

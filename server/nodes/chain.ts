import type { WorkflowFile } from '../contract/workflow.ts'
import type { NodeType } from './registry.ts'

/** A workflow of nodes one after the other, laid out from left to right. */
export function chain(
  name: string,
  description: string,
  steps: readonly (readonly [NodeType, Record<string, unknown>])[],
): WorkflowFile {
  const nodes = steps.map(([type, config], index) => ({
    id: type,
    type,
    config,
    position: { x: 80 + index * 260, y: 120 },
  }))
  const edges = nodes.slice(1).map((node, index) => ({
    id: `${nodes[index]?.id ?? ''}-${node.id}`,
    source: nodes[index]?.id ?? '',
    target: node.id,
  }))
  return { name, description, nodes, edges }
}

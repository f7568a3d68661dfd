import { DOCUMENT_CONFIGS } from '../compose/document-nodes.ts'
import { isNodeType, nodeDefinition } from '../registry.ts'
import { firstProblem } from '../validate.ts'
import { declareOverridePart } from './declare.ts'

/** Nodes that are configured for one clip: they replace the run's nodes of their type. */
export const manualNodes = declareOverridePart({
  name: 'nodes',
  check(nodes) {
    for (const [type, { config }] of Object.entries(nodes)) {
      if (!isNodeType(type) || type === 'find_clips' || DOCUMENT_CONFIGS[type] !== undefined)
        return { path: `nodes.${type}`, expected: 'left out: this node is not set for a single clip here' }
      const definition = nodeDefinition(type)
      const problem = firstProblem(definition.config, config) ?? definition.check?.(config) ?? null
      if (problem !== null)
        return {
          path: ['nodes', type, 'config', problem.path].filter((name) => name !== '').join('.'),
          expected: problem.expected,
        }
    }
    return null
  },
  document(nodes, document) {
    const others = document.nodes.filter(({ type }) => !Object.hasOwn(nodes, type))
    const own = Object.entries(nodes).map(([type, { enabled, config }]) => {
      const normalise = isNodeType(type) ? nodeDefinition(type).normalise : undefined
      return { id: `hand-${type}`, type, enabled, config: normalise?.(config) ?? config }
    })
    return { ...document, nodes: [...others, ...own] }
  },
})

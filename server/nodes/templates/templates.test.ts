import { expect, it } from 'vitest'
import { WORKFLOW_TEMPLATES } from './registry.ts'
import { resolveNodes, validateGraph } from '../resolve.ts'

it.each(WORKFLOW_TEMPLATES.map((one) => [one.name, one] as const))(
  '%s is a workflow that runs',
  (_name, one) => {
    const graph = { nodes: one.nodes, edges: one.edges ?? [] }
    expect(validateGraph(graph)).toEqual([])
    const { nodes, warnings } = resolveNodes(graph, [])
    expect(warnings).toEqual([])
    expect(nodes.map(({ id }) => id)).toEqual(one.nodes.map(({ id }) => id))
  },
)

it('have a name and a summary of their own each', () => {
  expect(new Set(WORKFLOW_TEMPLATES.map(({ name }) => name)).size).toBe(WORKFLOW_TEMPLATES.length)
  for (const { description = '' } of WORKFLOW_TEMPLATES) expect(description.length).toBeGreaterThan(20)
})

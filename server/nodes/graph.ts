/** The workflow as a graph: its order, and what is wrong with it. */
import type { WorkflowGraph, WorkflowNode } from '../contract/workflow.ts'
import { firstProblem } from './validate.ts'
import { isNodeType, NODE_TYPES, nodeDefinition } from './registry.ts'

/** Nodes in topological order, as close to the order they are written in as the edges allow; null for a cycle. */
export function topologicalOrder(graph: WorkflowGraph): WorkflowNode[] | null {
  const waiting = new Map(graph.nodes.map((node) => [node.id, 0]))
  for (const edge of graph.edges) {
    if (waiting.has(edge.source) && waiting.has(edge.target)) {
      waiting.set(edge.target, (waiting.get(edge.target) ?? 0) + 1)
    }
  }
  const left = [...graph.nodes]
  const order: WorkflowNode[] = []
  while (left.length > 0) {
    const index = left.findIndex((node) => waiting.get(node.id) === 0)
    const [node] = index === -1 ? [] : left.splice(index, 1)
    if (node === undefined) return null
    order.push(node)
    for (const edge of graph.edges) {
      if (edge.source === node.id && waiting.has(edge.target)) {
        waiting.set(edge.target, (waiting.get(edge.target) ?? 0) - 1)
      }
    }
  }
  return order
}

/** Every problem of a workflow, a sentence each; empty when it can be saved and run. */
export function validateGraph(graph: WorkflowGraph): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  for (const node of graph.nodes) {
    if (ids.has(node.id)) problems.push(`Two nodes have the id "${node.id}".`)
    ids.add(node.id)
    const problem = nodeProblem(node)
    if (problem !== null) problems.push(problem)
  }
  for (const edge of graph.edges) {
    for (const end of [edge.source, edge.target]) {
      if (!ids.has(end)) problems.push(`An edge names the node "${end}", which is not there.`)
    }
  }
  if (graph.nodes.filter((node) => node.type === 'find_clips').length > 1) {
    problems.push('There is more than one find_clips node.')
  }
  if (problems.length === 0 && topologicalOrder(graph) === null) {
    problems.push('The edges form a cycle: there is no order in which the nodes can act.')
  }
  return problems
}

function nodeProblem(node: WorkflowNode): string | null {
  if (!isNodeType(node.type)) {
    return `The node "${node.id}" is of type "${node.type}", which is not one of ${NODE_TYPES.join(', ')}.`
  }
  const definition = nodeDefinition(node.type)
  const problem = firstProblem(definition.config, node.config) ?? definition.check?.(node.config) ?? null
  if (problem === null) return null
  const where = problem.path === '' ? 'its config' : `"${problem.path}"`
  return `The config of the node "${node.id}" (${node.type}) is not valid: ${where} should be ${problem.expected}.`
}

/** Edits of a workflow's graph. PURE. */
import type { WorkflowEdge, WorkflowFile, WorkflowNode } from '../../server/contract/workflow.ts'
import { configProblem, validateGraph } from '../../server/nodes/index.ts'
import { storeJson, loadJson } from '../state/stored-json.ts'

export interface Graph {
  readonly nodes: readonly WorkflowNode[]
  readonly edges: readonly WorkflowEdge[]
}

/** What is wrong with a config: the dotted path of a field, and what it should be; empty: the node is one too many. */
export interface Problem {
  readonly path: string
  readonly expected: string
}

/** Clips are found once: nodes for it after the first. */
const furtherFinders = ({ nodes }: Graph): WorkflowNode[] =>
  nodes.filter(({ type }) => type === 'find_clips').slice(1)

/** What is wrong with the nodes, by node. */
export const problemsByNode = (graph: Graph): ReadonlyMap<string, Problem> =>
  new Map([
    ...graph.nodes.flatMap((node) => {
      const problem = configProblem(node)
      return problem === null ? [] : [[node.id, problem] as const]
    }),
    ...furtherFinders(graph).map(({ id }) => [id, { path: '', expected: '' }] as const),
  ])

/** What is wrong with the graph besides its nodes. */
export function problemsOfGraph(graph: Graph): string[] {
  const wrong = problemsByNode(graph)
  const extra = new Set(furtherFinders(graph).map(({ id }) => id))
  return validateGraph({
    nodes: graph.nodes
      .filter(({ id }) => !extra.has(id))
      .map((node) => (wrong.has(node.id) ? { ...node, config: {} } : node)),
    edges: graph.edges.filter(({ source, target }) => !extra.has(source) && !extra.has(target)),
  })
}

/** Edges on a way that leads back to where it began. */
export function loopingEdges({ edges }: Graph): WorkflowEdge[] {
  const leadsTo = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return edges.some(({ source, target }) => source === from && leadsTo(target, to, seen))
  }
  return edges.filter(({ source, target }) => leadsTo(target, source))
}

/** Distances between nodes without a position. */
const COLUMN = 260
const ROW = 120

/** The position of each node: its own, or else in a row. */
export function placed(nodes: readonly WorkflowNode[]): Map<string, { x: number; y: number }> {
  return new Map(
    nodes.map(({ id, position }, index) => [id, position ?? { x: index * COLUMN, y: (index % 2) * ROW }]),
  )
}

/** Adds a node after the last one that has no successor. */
export function addNode(graph: Graph, type: string): Graph & { readonly added: string } {
  const taken = new Set(graph.nodes.map(({ id }) => id))
  let added = type
  for (let count = 2; taken.has(added); count++) added = `${type}-${count}`
  const followed = new Set(graph.edges.map(({ source }) => source))
  const last = graph.nodes.findLast(({ id }) => !followed.has(id))
  const at = last === undefined ? undefined : placed(graph.nodes).get(last.id)
  const position = at === undefined ? { x: 0, y: 0 } : { x: at.x + COLUMN, y: at.y }
  return {
    nodes: [...graph.nodes, { id: added, type, config: {}, position }],
    edges: last === undefined ? graph.edges : [...graph.edges, { source: last.id, target: added }],
    added,
  }
}

/** Removes a node and connects its predecessors to its successors. */
export function removeNode(graph: Graph, id: string): Graph {
  const before = graph.edges.filter(({ target }) => target === id).map(({ source }) => source)
  const after = graph.edges.filter(({ source }) => source === id).map(({ target }) => target)
  const rest = graph.edges.filter(({ source, target }) => source !== id && target !== id)
  const known = new Set(rest.map(({ source, target }) => `${source}\n${target}`))
  const bridged = before
    .flatMap((source) => after.map((target) => ({ source, target })))
    .filter(({ source, target }) => !known.has(`${source}\n${target}`))
  return { nodes: graph.nodes.filter((node) => node.id !== id), edges: [...rest, ...bridged] }
}

/** Unchanged where they are connected already, or are the same node. */
export function connect(graph: Graph, source: string, target: string): Graph {
  const there = graph.edges.some((edge) => edge.source === source && edge.target === target)
  return there || source === target ? graph : { ...graph, edges: [...graph.edges, { source, target }] }
}

export const disconnect = (graph: Graph, source: string, target: string): Graph => ({
  ...graph,
  edges: graph.edges.filter((edge) => edge.source !== source || edge.target !== target),
})

export const changeNode = (graph: Graph, id: string, change: Partial<WorkflowNode>): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)),
})

/** As `cutroom workflow import` takes it. */
export const fileOf = (name: string, description: string, { nodes, edges }: Graph): WorkflowFile => ({
  name,
  description,
  nodes: [...nodes],
  edges: [...edges],
})

/** The editable parts of a workflow. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly graph: Graph
}

interface StoredDraft {
  /** The revision that the draft is based on. */
  readonly revision: number
  readonly draft: Draft
}

const key = (id: string): string => `cutroom-workflow:${id}`

/** Null removes the draft. Where the storage is full, the edits live in this page only. */
export function storeWorkflowDraft(id: string, stored: StoredDraft | null): void {
  storeJson(localStorage, key(id), stored)
}

/** Null where no draft is stored. */
export function loadWorkflowDraft(id: string): StoredDraft | null {
  return loadJson(localStorage, key(id)) as StoredDraft | null
}

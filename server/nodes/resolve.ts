/** From a saved workflow and a run's overrides to the nodes that the run is made with. */
import { AppError } from '../contract/errors.ts'
import type { ResolvedNode } from '../contract/run.ts'
import type { WorkflowGraph, WorkflowNode } from '../contract/workflow.ts'
import type { ConfigProblem, JsonObject, NodeDefinition } from './declare.ts'
import { deepMerge, isPlainObject, omit, own } from './merge.ts'
import { isFlat, type NodeOverride, type NodeOverrides } from './overrides.ts'
import { isNodeType, nodeDefinition, NODE_TYPES } from './registry.ts'
import { valueProblem } from './judge-values.ts'
import { firstProblem, invalidNodeConfig } from './validate.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

/** Takes a sentence for the run. */
type Say = (message: string) => void

export interface Resolved {
  readonly nodes: ResolvedNode[]
  /** One sentence for each override that was skipped and each setting that had to give way. */
  readonly warnings: string[]
}

/**
 * The nodes in topological order with every override merged in. An override for a type that the workflow lacks is
 * skipped with a warning; one for a type that is there several times applies to all of them. Throws
 * INVALID_NODE_CONFIG with `{nodeType, path, expected}`.
 */
export function resolveNodes(graph: WorkflowGraph, overrides: NodeOverrides): Resolved {
  const order = topologicalOrder(graph)
  if (order === null) {
    throw new AppError('INVALID_NODE_CONFIG', {
      message: 'The edges of the workflow form a cycle: there is no order in which its nodes can act.',
      details: { nodeType: '', path: 'edges', expected: 'edges without a cycle' },
    })
  }
  const warnings = new Set<string>()
  const warn: Say = (message) => void warnings.add(message)
  warnAboutAbsent(order, overrides, warn)
  const nodes = order.flatMap((node) => {
    if (!isNodeType(node.type)) {
      warn(`The workflow's node "${node.id}" is of the unknown type "${node.type}"; it was left out.`)
      return []
    }
    const mine = overrides.filter((override) => override.nodeType === node.type)
    return [resolveNode(node, nodeDefinition(node.type), mine, warn)]
  })
  return { nodes, warnings: [...warnings] }
}

function resolveNode(
  node: WorkflowNode,
  definition: NodeDefinition,
  overrides: readonly NodeOverride[],
  warn: Say,
): ResolvedNode {
  validConfig(definition, node.config)
  let config = withoutTitleStyling(normalised(definition, node.config), definition, overrides)
  for (const layer of layersOf(definition, overrides)) {
    const merged = deepMerge(switchedOn(definition, config, layer), layer)
    config = definition.settle?.({ base: config, layer, merged, warn }) ?? merged
  }
  validConfig(definition, config)
  const problem = definition.check?.(config) ?? null
  if (problem !== null) throw invalidNodeConfig(definition.type, problem)
  return {
    id: node.id,
    type: definition.type,
    enabled: own(config, 'enabled') !== false && !innerOff(definition, config),
    config: omit(config, 'enabled'),
  }
}

/** Flat fields are one layer, because two of them may be bounds of one range; every other override is its own. */
function layersOf(definition: NodeDefinition, overrides: readonly NodeOverride[]): JsonObject[] {
  const layers = overrides.map((override) => ({
    flat: isFlat(override),
    config: normalised(definition, validConfig(definition, override.config, valueProblem)),
  }))
  const flat = layers.filter((layer) => layer.flat).map(({ config }) => config)
  const others = layers.filter((layer) => !layer.flat).map(({ config }) => config)
  return flat.length === 0 ? others : [flat.reduce<JsonObject>(deepMerge, {}), ...others]
}

/** Switching a node on also overrides an `enabled: false` of its nested configuration. */
function switchedOn(definition: NodeDefinition, config: JsonObject, layer: JsonObject): JsonObject {
  const key = definition.innerSwitch ?? definition.hiddenBy
  const inner = key === undefined ? undefined : own(config, key)
  if (key === undefined || !isPlainObject(inner) || own(layer, 'enabled') !== true) return config
  return own(inner, 'enabled') === false ? { ...config, [key]: omit(inner, 'enabled') } : config
}

/** With a title preset the request alone styles the run: of the template's title only the prompt stays. */
function withoutTitleStyling(
  config: JsonObject,
  definition: NodeDefinition,
  overrides: readonly NodeOverride[],
): JsonObject {
  const saved = own(config, 'title_config')
  const choosesPreset = overrides.some((override) => {
    const config = isPlainObject(override.config) ? normalised(definition, override.config) : {}
    const title = own(config, 'title_config')
    return isPlainObject(title) && typeof own(title, 'titlePresetId') === 'string'
  })
  if (!choosesPreset || !isPlainObject(saved)) return config
  const prompt = own(saved, 'prompt')
  return { ...config, title_config: omitUndefined({ prompt }) }
}

function normalised(definition: NodeDefinition, config: JsonObject): JsonObject {
  return definition.normalise?.(config) ?? config
}

/** The config as an object that the node's schema accepts; throws INVALID_NODE_CONFIG otherwise. */
function validConfig(definition: NodeDefinition, config: unknown, judge = firstProblem): JsonObject {
  const problem = judge(definition.config, config)
  if (problem === null && isPlainObject(config)) return config
  throw invalidNodeConfig(definition.type, problem ?? { path: '', expected: 'an object' })
}

function innerOff(definition: NodeDefinition, config: JsonObject): boolean {
  const inner = definition.innerSwitch === undefined ? undefined : own(config, definition.innerSwitch)
  return isPlainObject(inner) && own(inner, 'enabled') === false
}

function warnAboutAbsent(nodes: readonly WorkflowNode[], overrides: NodeOverrides, warn: Say): void {
  const present = new Set(nodes.map((node) => node.type))
  for (const { nodeType, origin } of overrides) {
    if (present.has(nodeType)) continue
    const known = isNodeType(nodeType)
    warn(
      known
        ? `"${origin}" was ignored: the workflow has no ${nodeType} node.`
        : `"${origin}" names "${nodeType.slice(0, 100)}", which is not a node type; it was ignored.`,
    )
  }
}

/** Nodes in topological order, as close to the order they are written in as the edges allow; null for a cycle. */
function topologicalOrder(graph: WorkflowGraph): WorkflowNode[] | null {
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

/** The first thing wrong with the config of a node of a known type; null: nothing. */
export function configProblem(node: WorkflowNode): ConfigProblem | null {
  if (!isNodeType(node.type)) return null
  const definition = nodeDefinition(node.type)
  return firstProblem(definition.config, node.config) ?? definition.check?.(node.config) ?? null
}

function nodeProblem(node: WorkflowNode): string | null {
  if (!isNodeType(node.type)) {
    return `The node "${node.id}" is of type "${node.type}", which is not one of ${NODE_TYPES.join(', ')}.`
  }
  const problem = configProblem(node)
  if (problem === null) return null
  const where = problem.path === '' ? 'its config' : `"${problem.path}"`
  return `The config of the node "${node.id}" (${node.type}) is not valid: ${where} should be ${problem.expected}.`
}

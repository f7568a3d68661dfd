/** What is refused of overrides and of graphs, word for word. */
import { describe, expect, it } from 'vitest'
import type { WorkflowGraph } from '../contract/workflow.ts'
import { AppError } from '../contract/errors.ts'
import type { JsonObject } from './declare.ts'
import { overridesFromBody } from './overrides.ts'
import { NODE_TYPES } from './registry.ts'
import { resolveNodes, validateGraph } from './resolve.ts'

const problemOf = (act: () => unknown): object => {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details }
    throw error
  }
  return {}
}
const graphOf = (types: Readonly<Record<string, string>>, ...edges: (readonly [string, string])[]) =>
  ({
    nodes: Object.entries(types).map(([id, type]) => ({ id, type, config: {} })),
    edges: edges.map(([source, target], index) => ({ id: `edge-${index}`, source, target })),
  }) as WorkflowGraph

describe('overridesFromBody', () => {
  it.each<readonly [body: JsonObject, field: string, expected: string]>([
    [{ minLengthTarget: 'x' }, 'minLengthTarget', 'a number'],
    [{ promptAdjustment: 5 }, 'promptAdjustment', 'a string'],
    [{ subtitles: 'yes' }, 'subtitles', 'true or false'],
    [{ titleConfig: [] }, 'titleConfig', 'an object'],
    [{ pinnedTimestamps: {} }, 'pinnedTimestamps', 'a list of {start, end} in seconds'],
    [{ orientation: 'square' }, 'orientation', '"horizontal" or "vertical"'],
    [{ broll: 'high' }, 'broll', 'true, false or an object'],
    [{ nodeConfigs: 'x' }, 'nodeConfigs', 'a map by node type, or a list of {nodeType, config}'],
    [{ actionConfigs: 5 }, 'actionConfigs', 'a map by node type, or a list of {nodeType, config}'],
    [{ nodeConfigs: ['x'] }, 'nodeConfigs.0', 'an object {nodeType, config}'],
    [{ nodeConfigs: [{ nodeType: 'a' }, null] }, 'nodeConfigs.1', 'an object {nodeType, config}'],
    [{ nodeConfigOverrides: [{}] }, 'nodeConfigOverrides.0.nodeType', 'a node type'],
    [{ nodeConfigOverrides: [{ nodeType: '' }] }, 'nodeConfigOverrides.0.nodeType', 'a node type'],
    [{ nodeConfigOverrides: [{ nodeType: 5 }] }, 'nodeConfigOverrides.0.nodeType', 'a node type'],
  ])('%j: %s should be %s', (body, field, expected) => {
    expect(problemOf(() => overridesFromBody(body))).toEqual({
      code: 'INVALID_REQUEST',
      message: `"${field}" should be ${expected}.`,
      details: { field, expected },
    })
  })
  it.each<readonly [body: JsonObject, overrides: object[]]>([
    [{}, []],
    [{ minLengthTarget: null, nodeConfigs: null, other: 5 }, []],
    [{ nodeConfigs: [{ nodeType: 'a' }] }, [{ origin: 'nodeConfigs', nodeType: 'a', config: {} }]],
    [{ nodeConfigs: { a: { b: 1 } } }, [{ origin: 'nodeConfigs', nodeType: 'a', config: { b: 1 } }]],
    [
      { actionConfigs: { a: 1 }, nodeConfigs: { b: null }, subtitles: true },
      [
        { origin: 'subtitles', nodeType: 'add_subtitles', config: { enabled: true } },
        { origin: 'nodeConfigs', nodeType: 'b', config: null },
        { origin: 'actionConfigs', nodeType: 'a', config: 1 },
      ],
    ],
  ])('%j is %j', (body, overrides) => {
    expect(overridesFromBody(body)).toEqual(overrides)
  })
  it.each<readonly [speakerStyles: unknown, stored: unknown]>([
    [undefined, { '0': { fontSize: 9 } }],
    ['odd', 'odd'],
    [{ '0': 'odd' }, { '0': 'odd' }],
    [
      { '0': { fontSize: 5 }, '1': { a: 1 } },
      { '0': { fontSize: 5 }, '1': { a: 1 } },
    ],
    [{ '1': { a: 1 } }, { '0': { fontSize: 9 }, '1': { a: 1 } }],
    [
      ['odd', { a: 1 }],
      ['odd', { a: 1 }],
    ],
    [
      [null, { a: 1 }],
      [{ fontSize: 9 }, { a: 1 }],
    ],
    [[{ b: 2 }], [{ fontSize: 9, b: 2 }]],
  ])('styles of speakers %j become %j', (speakerStyles, stored) => {
    const subtitleConfig = speakerStyles === undefined ? { fontSize: 9 } : { fontSize: 9, speakerStyles }
    expect(overridesFromBody({ subtitleConfig })).toEqual([
      {
        origin: 'subtitleConfig',
        nodeType: 'add_subtitles',
        config: { subtitle_config: { fontSize: 9, speakerStyles: stored } },
      },
    ])
  })
})

describe('resolveNodes', () => {
  it('refuses a cycle', () => {
    const cycle = graphOf({ a: 'find_clips', b: 'add_music' }, ['a', 'b'], ['b', 'a'])
    expect(problemOf(() => resolveNodes(cycle, []))).toEqual({
      code: 'INVALID_NODE_CONFIG',
      message: 'The edges of the workflow form a cycle: there is no order in which its nodes can act.',
      details: { nodeType: '', path: 'edges', expected: 'edges without a cycle' },
    })
  })
  it('orders by the edges, and passes over those to nowhere', () => {
    const graph = graphOf(
      { a: 'add_music', b: 'find_clips', c: 'add_outro' },
      ['b', 'a'],
      ['a', 'x'],
      ['x', 'c'],
    )
    expect(resolveNodes(graph, []).nodes.map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  })
  it('warns once of what it cannot use', () => {
    const long = 'x'.repeat(150)
    const ignored = { origin: 'nodeConfigs', config: {} }
    const graph = graphOf({ a: 'add_music', b: 'bogus' })
    const { nodes, warnings } = resolveNodes(graph, [
      { ...ignored, nodeType: long },
      { ...ignored, nodeType: 'add_outro' },
      { ...ignored, nodeType: 'add_outro' },
    ])
    expect(nodes).toEqual([{ id: 'a', type: 'add_music', enabled: true, config: {} }])
    expect(warnings).toEqual([
      `"nodeConfigs" names "${'x'.repeat(100)}", which is not a node type; it was ignored.`,
      '"nodeConfigs" was ignored: the workflow has no add_outro node.',
      'The workflow\'s node "b" is of the unknown type "bogus"; it was left out.',
    ])
  })
})

describe('validateGraph', () => {
  it.each<readonly [graph: WorkflowGraph, problems: string[]]>([
    [graphOf({ a: 'find_clips', b: 'add_music' }, ['a', 'b']), []],
    [graphOf({ a: 'find_clips', b: 'find_clips' }), ['There is more than one find_clips node.']],
    [graphOf({ a: 'find_clips' }, ['a', 'z']), ['An edge names the node "z", which is not there.']],
    [
      graphOf({ a: 'find_clips', b: 'add_music' }, ['a', 'b'], ['b', 'a']),
      ['The edges form a cycle: there is no order in which the nodes can act.'],
    ],
    [
      graphOf({ a: 'bogus' }),
      [`The node "a" is of type "bogus", which is not one of ${NODE_TYPES.join(', ')}.`],
    ],
  ])('%# %j', (graph, problems) => {
    expect(validateGraph(graph)).toEqual(problems)
  })
})

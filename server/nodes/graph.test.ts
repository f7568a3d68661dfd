import { describe, expect, it } from 'vitest'
import type { JsonObject } from './declare.ts'
import { CAPTION_PRESETS, DEFAULT_WORKFLOWS, resolveNodes, validateGraph } from './index.ts'

describe('workflows', () => {
  it('that come with the appliance are valid and use presets that exist', () => {
    expect(DEFAULT_WORKFLOWS.map((workflow) => workflow.name)).toEqual([
      'Vertical shorts',
      'Horizontal highlights',
      'Audiogram',
    ])
    for (const workflow of DEFAULT_WORKFLOWS) {
      const graph = { nodes: workflow.nodes, edges: workflow.edges ?? [] }
      expect(validateGraph(graph)).toEqual([])
      expect(resolveNodes(graph, []).nodes.map((node) => node.type)).toEqual(
        workflow.nodes.map((node) => node.type),
      )
      const style = (
        workflow.nodes.find((node) => node.type === 'add_subtitles')?.config['subtitle_config'] as JsonObject
      )['styleId']
      expect(CAPTION_PRESETS.map((preset) => preset.id)).toContain(style)
    }
  })

  const node = (id: string, type: string, config: JsonObject = {}) => ({ id, type, config })
  it.each([
    [
      'two nodes with one id',
      { nodes: [node('a', 'add_music'), node('a', 'add_outro')], edges: [] },
      /Two nodes have the id "a"/,
    ],
    ['an unknown type', { nodes: [node('a', 'add_magic')], edges: [] }, /"add_magic", which is not one of/],
    [
      'a bad config',
      { nodes: [node('a', 'add_music', { x: 1 })], edges: [] },
      /add_music\) is not valid: "x"/,
    ],
    [
      'an edge to nowhere',
      { nodes: [node('a', 'add_music')], edges: [{ source: 'a', target: 'b' }] },
      /the node "b"/,
    ],
    [
      'two find_clips',
      { nodes: [node('a', 'find_clips'), node('b', 'find_clips')], edges: [] },
      /more than one find_clips/,
    ],
    [
      'a cycle',
      {
        nodes: [node('a', 'add_music'), node('b', 'add_outro')],
        edges: [
          { source: 'a', target: 'b' },
          { source: 'b', target: 'a' },
        ],
      },
      /cycle/,
    ],
    [
      'a node before itself',
      { nodes: [node('a', 'add_music')], edges: [{ source: 'a', target: 'a' }] },
      /cycle/,
    ],
  ])('with %s are not', (_, graph, message) => {
    expect(validateGraph(graph)).toEqual([expect.stringMatching(message)])
  })

  it('are followed in topological order, else in the order they are written', () => {
    const graph = {
      nodes: [
        node('t', 'add_title_overlay'),
        node('s', 'add_subtitles'),
        node('m', 'add_music'),
        node('f', 'find_clips'),
      ],
      edges: [
        { source: 'f', target: 's' },
        { source: 's', target: 't' },
      ],
    }
    expect(resolveNodes(graph, []).nodes.map(({ id }) => id)).toEqual(['m', 'f', 's', 't'])
    const cyclic = { ...graph, edges: [...graph.edges, { source: 't', target: 'f' }] }
    expect(() => resolveNodes(cyclic, [])).toThrow(/cycle/)
  })

  it('with nodes of a later version run without them, and say so', () => {
    const { nodes, warnings } = resolveNodes(
      { nodes: [node('a', 'add_magic'), node('b', 'add_music')], edges: [] },
      [],
    )
    expect(nodes.map((entry) => entry.id)).toEqual(['b'])
    expect(warnings).toEqual([expect.stringContaining('add_magic')])
  })
})

import { describe, expect, it } from 'vitest'
import { validateGraph } from '../../server/nodes/index.ts'
import {
  addNode,
  connect,
  disconnect,
  placed,
  removeNode,
  type Graph,
  loopingEdges,
  problemsByNode,
  problemsOfGraph,
} from './graph.ts'

const EMPTY: Graph = { nodes: [], edges: [] }
const chain = ['find_clips', 'convert_to_vertical', 'add_subtitles'].reduce<Graph>(addNode, EMPTY)

it('adds nodes one after the other, under names of their own, to a graph that holds', () => {
  expect(chain.edges).toEqual([
    { source: 'find_clips', target: 'convert_to_vertical' },
    { source: 'convert_to_vertical', target: 'add_subtitles' },
  ])
  expect(validateGraph({ nodes: [...chain.nodes], edges: [...chain.edges] })).toEqual([])
  expect(addNode(chain, 'add_subtitles').added).toBe('add_subtitles-2')
  const places = [...placed(chain.nodes).values()].map(({ x }) => x)
  expect(places).toEqual([0, 260, 520])
})

it('joins what stood around a node that is taken out', () => {
  expect(removeNode(chain, 'convert_to_vertical').edges).toEqual([
    { source: 'find_clips', target: 'add_subtitles' },
  ])
})

it('connects once, never a node with itself, and takes that back', () => {
  const joined = connect(chain, 'find_clips', 'add_subtitles')
  expect(joined.edges).toHaveLength(3)
  expect(connect(joined, 'find_clips', 'add_subtitles')).toBe(joined)
  expect(connect(joined, 'find_clips', 'find_clips')).toBe(joined)
  expect(disconnect(joined, 'find_clips', 'add_subtitles').edges).toEqual(chain.edges)
})

describe('what is wrong', () => {
  const node = (id: string, config: Record<string, unknown>) => ({ id, type: 'smart_zoom', config })

  it('is at the node and the field that has it', () => {
    const nodes = [node('a', {}), node('b', { smart_zoom_config: { intensity: 'much' } })]
    expect([...problemsByNode({ nodes, edges: [] })]).toEqual([
      ['b', { path: 'smart_zoom_config.intensity', expected: expect.stringMatching(/^a number/) as string }],
    ])
  })

  it('is at a second node that finds clips, and not above the graph', () => {
    const { added, ...graph } = addNode(chain, 'find_clips')
    expect([...problemsByNode(graph)]).toEqual([[added, { path: '', expected: '' }]])
    expect(problemsOfGraph(graph)).toEqual([])
    expect(problemsOfGraph({ ...graph, edges: [...graph.edges, { source: 'gone', target: added }] })).toEqual(
      [],
    )
    const gone = { source: 'gone', target: 'add_subtitles' }
    expect(problemsOfGraph({ ...graph, edges: [gone] })).toHaveLength(1)
  })

  it('is at the edges that lead back to where they began', () => {
    const edge = (source: string, target: string) => ({ source, target })
    const round = [edge('b', 'c'), edge('c', 'b')]
    expect(loopingEdges({ nodes: [], edges: [edge('a', 'b'), ...round, edge('c', 'd')] })).toEqual(round)
  })
})

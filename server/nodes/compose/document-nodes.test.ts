import { expect, it } from 'vitest'
import { activeNodes, type NodesOfDocument } from './document-nodes.ts'

const active = (document: Partial<NodesOfDocument>) =>
  activeNodes({ nodes: [], ...document }).map(({ type }) => type)

it('a file that was chosen in the editor and taken back leaves no node, captions without settings are captions', () => {
  const taken = { watermarkConfig: {}, backgroundMusicOption: {}, endCardOption: {} }
  expect(active(taken)).toEqual([])
  expect(active({ watermarkConfig: { url: 'https://host.test/logo.png' } })).toEqual(['add_watermark'])
  expect(active({ subtitleConfig: {} })).toEqual(['add_subtitles'])
  const nodes = [{ type: 'add_watermark', enabled: true, config: {} }] as unknown as NodesOfDocument['nodes']
  expect(active({ nodes, watermarkConfig: {} })).toEqual(['add_watermark'])
})

import { expect, it } from 'vitest'
import { sampleComposition } from '../../../test/support/sample-composition.ts'
import type { Composition } from '../../../server/contract/composition.ts'
import { assetDigests } from './stage.ts'

it('names every file beside the source once, wherever the composition holds it', () => {
  const image = { kind: 'image', asset: { digest: 'b' } }
  const layers = [{ kind: 'video', asset: { digest: 'c' } }, image, image] as unknown as Composition['layers']
  const composition = sampleComposition({ layers })
  const tracks = [{ asset: { digest: 'a' } }] as unknown as NonNullable<Composition['audio']['tracks']>
  composition.audio = { ...composition.audio, tracks }
  expect(assetDigests(composition)).toEqual(['a', 'b', 'c'])
  expect(assetDigests(sampleComposition())).toEqual([])
})

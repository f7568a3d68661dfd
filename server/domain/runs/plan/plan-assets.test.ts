import { describe, expect, it } from 'vitest'
import { environment, failed, resultsOf } from '../../../../test/support/plan-case.ts'
import type { AssetKind, AssetNeed } from '../../../contract/asset.ts'
import { brollAddress } from '../../../contract/clip-broll.ts'
import { assetInvocation, assetSlot, assetsOf } from './plan-assets.ts'

const DIGEST = 'a'.repeat(64)
const need = (url: string, kind: AssetKind = 'image') => ({ url, kind }) as AssetNeed
const url = 'https://example.com/logo.png'
const patient = { ...environment, minFreeBytes: 7, idleTimeoutSeconds: 60, totalTimeoutSeconds: 10_000 }

describe('the slot of a file', () => {
  it('is the same for the same address, short, and another for another', () => {
    expect(assetSlot(url)).toMatch(/^asset:[0-9a-f]{16}$/)
    expect(assetSlot(url)).toBe(assetSlot(url))
    expect(assetSlot(url)).not.toBe(assetSlot(`${url}?2`))
  })
})

describe('a file named by its address', () => {
  it('is fetched from there, and stays the same file when limits change', () => {
    expect(assetInvocation(need(url), patient)).toEqual({
      slot: assetSlot(url),
      stage: 'fetch-asset',
      params: {
        url,
        kind: 'image',
        addresses: 'any',
        maxBytes: { image: 50_000_000, video: 2_000_000_000, audio: 500_000_000 },
        minFreeBytes: 7,
        idleTimeoutSeconds: 20,
        totalTimeoutSeconds: 90,
      },
      keyParams: { url, kind: 'image' },
      inputs: {},
    })
  })

  it('has at most 10 MB if it is a font, whatever it turns out to be', () => {
    const { params } = assetInvocation(need(url, 'font'), patient)
    expect(params).toMatchObject({ maxBytes: { image: 10_000_000, video: 10_000_000, audio: 10_000_000 } })
  })

  it.each<[AssetKind, number]>([
    ['image', 90],
    ['audio', 600],
    ['video', 1800],
    ['media', 1800],
    ['font', 60],
  ])('has time by its kind, %s: %i s, unless the appliance gives less', (kind, seconds) => {
    const timeout = (total: number) =>
      assetInvocation(need(url, kind), { ...patient, totalTimeoutSeconds: total }).params
    expect(timeout(10_000)).toMatchObject({ totalTimeoutSeconds: seconds })
    expect(timeout(5)).toMatchObject({ totalTimeoutSeconds: 5 })
  })

  it('may be silent for 20 s, or for less', () => {
    const { params } = assetInvocation(need(url), { ...patient, idleTimeoutSeconds: 3 })
    expect(params).toMatchObject({ idleTimeoutSeconds: 3 })
  })
})

describe('a stored file named by its SHA-256', () => {
  const stored = need(`cutroom-source:${DIGEST}`)
  const owned = (ownsFile?: (digest: string) => boolean) =>
    (assetInvocation(stored, { ...patient, ...(ownsFile && { ownsFile }) }).params as { owned?: boolean })
      .owned

  it('is taken only where the company owns it', () => {
    expect(owned((digest) => digest === DIGEST)).toBe(true)
    expect(owned(() => false)).toBe(false)
    expect(owned()).toBe(false)
    expect(assetInvocation(need(url), { ...patient, ownsFile: () => true }).params).not.toHaveProperty(
      'owned',
    )
  })
})

describe('a file that a stock service offered', () => {
  const access = { address: 'https://api.example' } as never
  const offered = need(brollAddress('getty', '123'), 'video')

  it('is fetched with the keys of the service', () => {
    const services = { ...patient.services, getty: { state: 'ready', access } as const }
    expect(assetInvocation(offered, { ...patient, services })).toEqual({
      slot: assetSlot(offered.url),
      stage: 'fetch-broll',
      params: {
        provider: 'getty',
        id: '123',
        maxBytes: { image: 50_000_000, video: 2_000_000_000, audio: 500_000_000 },
        minFreeBytes: 7,
        totalTimeoutSeconds: 1800,
        access,
        refusal: '',
      },
      keyParams: { provider: 'getty', id: '123' },
      inputs: {},
    })
  })

  it('says why it cannot be, where the service may not be used', () => {
    expect(assetInvocation(offered, patient).params).toMatchObject({
      access: null,
      refusal: 'Getty Images is not asked.',
    })
  })
})

describe('the state of files', () => {
  const picture = { digest: DIGEST }
  const states = (output: unknown) => assetsOf([need(url)], resultsOf({ [assetSlot(url)]: output })).get(url)

  it.each([
    [
      { kind: 'image', picture },
      { state: 'ready', kind: 'image', picture },
    ],
    [
      { kind: 'video', video: picture, sound: null, more: 1 },
      { state: 'ready', kind: 'video', video: picture, sound: null },
    ],
    [
      { kind: 'audio', sound: picture },
      { state: 'ready', kind: 'audio', sound: picture },
    ],
    [
      { kind: 'font', digest: DIGEST },
      { state: 'ready', kind: 'font', digest: DIGEST },
    ],
    [{ kind: 'from an older version' }, undefined],
  ])('%j: %j', (output, state) => {
    expect(states(output)).toEqual(state)
  })

  it('is unknown until its stage has ended, and failed with the reason of the failure', () => {
    expect(assetsOf([need(url)], new Map()).size).toBe(0)
    expect(states(failed('SOURCE_UNREACHABLE', 'Nobody answers.'))).toEqual({
      state: 'failed',
      message: 'Nobody answers.',
    })
    const without = new Map([
      [assetSlot(url), { state: 'failed', key: 'k', output: null, failure: null } as const],
    ])
    expect(assetsOf([need(url)], without).get(url)).toEqual({
      state: 'failed',
      message: 'It could not be fetched.',
    })
  })
})

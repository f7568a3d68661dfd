import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXCEPTIONS, isAllowed, refusal, shippedPackages, studioImports } from './shipped.ts'
import { makeSbom } from './write-sbom.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const packages = shippedPackages(ROOT)

describe('licences', () => {
  test('of all that is shipped may be shipped', () => {
    expect(packages.length).toBeGreaterThan(200)
    expect(packages.flatMap((one) => refusal(one) ?? [])).toEqual([])
  })

  test('that need a reason are still there', () => {
    for (const { packages: pattern, licences } of EXCEPTIONS) {
      const own = packages.filter(({ name }) => pattern.test(name))
      expect(licences.filter((licence) => !own.some((one) => one.licence === licence))).toEqual([])
    }
  })

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND Apache-2.0', true],
    ['MIT AND GPL-3.0', false],
    ['GPL-3.0', false],
    ['AGPL-3.0-or-later', false],
    ['SEE LICENSE IN x', false],
    ['', false],
  ])('%s may be shipped: %s', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed)
    expect(refusal({ name: 'some-package', licence: expression }) === null).toBe(allowed)
  })
})

describe('the bill of materials', () => {
  const sbom = makeSbom(ROOT)
  const names = sbom.components.map(({ name }) => name)

  test('has what runs, what is built into the studio, ffmpeg, models and fonts, each with a licence', () => {
    expect(studioImports(ROOT)).toContain('svelte')
    for (const name of ['undici', 'svelte', '@xyflow/system', 'electron', '@ffmpeg-installer/linux-x64'])
      expect(names).toContain(name)
    expect(names).toContain('whisper-base')
    expect(names).toContain('Font Inter')
    expect(names).not.toContain('vitest')
    expect(names).not.toContain('random-whisper')
    for (const { name, licenses } of sbom.components) expect(licenses, name).toHaveLength(1)
  })

  test('is a graph whose ends are in it, each reference once', () => {
    const references = sbom.components.map((one) => one['bom-ref'])
    expect(new Set(references).size).toBe(references.length)
    const known = new Set(references)
    for (const { ref, dependsOn } of sbom.dependencies)
      expect([ref, ...dependsOn].filter((one) => !known.has(one))).toEqual([])
  })

  test('is the same twice, and names no address that a package came from', () => {
    expect(makeSbom(ROOT)).toEqual(sbom)
    expect(sbom.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(JSON.stringify(sbom.components.filter(({ type }) => type === 'library'))).not.toContain('.tgz')
  })
})

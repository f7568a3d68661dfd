import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { PLATFORMS } from '../post.ts'
import { SubtitleConfig } from '../text-configs.ts'
import { PLATFORM_PRESETS, SAFE_ZONES } from './registry.ts'

const ROOT = join(import.meta.dirname, '../../..')

it('has one file for each entry', () => {
  const files = globSync('server/contract/platforms/*.ts', { cwd: ROOT }).length
  expect(files - ['platform.ts', 'registry.ts', 'platforms.test.ts'].length).toBe(PLATFORM_PRESETS.length)
  expect(PLATFORMS).toEqual(PLATFORM_PRESETS.map(({ platform }) => platform))
})

it.each(PLATFORM_PRESETS)('$platform has its adapter, its limits and a row in the documents', (preset) => {
  expect(ADAPTERS[preset.platform].limits).toBe(preset.limits)
  expect(ADAPTERS[preset.platform].label).toBe(preset.label)
  const guide = readFileSync(join(ROOT, 'docs/social.md'), 'utf8')
  const row = guide.split('\n').find((line) => line.startsWith(`| ${preset.label} | `)) ?? ''
  const documented = guide.slice(guide.indexOf('| Platform | Limits that are held |'))
  expect(row).not.toBe('')
  const limits = documented.split('\n').find((line) => line.startsWith(`| ${preset.label} | `)) ?? ''
  expect(limits).toContain(preset.limits.text.most.toLocaleString('en').replace(/^(\d),/, '$1'))
})

it('offers every safe zone as a caption setting', () => {
  const names = SAFE_ZONES.map(({ name }) => name)
  expect(names.toSorted()).toEqual(['reels', 'shorts', 'tiktok'])
  for (const name of names) expect(JSON.stringify(SubtitleConfig)).toContain(`"${name}"`)
})

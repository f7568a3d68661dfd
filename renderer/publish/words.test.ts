import { expect, it } from 'vitest'
import { momentText, withMoments } from './words.ts'

it('shows no moment as machines write it', () => {
  const at = '2026-11-22T18:00:00.000Z'
  expect(withMoments(`Publish to a package on this appliance, at ${at}.`)).toBe(
    `Publish to a package on this appliance, at ${momentText(at)}.`,
  )
  expect(withMoments('Publish now.')).toBe('Publish now.')
})

import { expect, it } from 'vitest'
import { authorizationOf } from './source-url.ts'

it.each([
  ['http://a.example/x', undefined],
  ['http://ada:geheim@a.example/x', 'ada:geheim'],
  ['http://ada:p%40ss%3A@a.example/x', 'ada:p@ss:'],
  ['http://ada:100%@a.example/x', 'ada:100%'],
  ['http://ada@a.example/x', 'ada:'],
])('%s: %s', (address, pair) => {
  const { authorization } = authorizationOf(new URL(address))
  const sent = authorization?.replace('Basic ', '')
  expect(sent === undefined ? undefined : Buffer.from(sent, 'base64').toString()).toBe(pair)
})

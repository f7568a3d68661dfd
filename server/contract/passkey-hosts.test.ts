import { expect, it } from 'vitest'
import { passkeyProblem } from './passkey-hosts.ts'

it.each([
  ['http://localhost:4810', null],
  ['http://studio.localhost:4810', null],
  ['https://cutroom.studio.example', null],
  ['http://127.0.0.1:4810', 'name'],
  ['https://[::1]:4810', 'name'],
  ['https://10.0.0.7', 'name'],
  ['http://cutroom.lan:4810', 'https'],
])('%s: %s', (origin, problem) => expect(passkeyProblem(new URL(origin))).toBe(problem))

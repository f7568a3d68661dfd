import { expect, it } from 'vitest'
import { loadConfig } from './config.ts'
import { describeEnvironment } from './describe.ts'

const settings = (environment: Readonly<Record<string, string>>) =>
  describeEnvironment(loadConfig({ home: '/nowhere/home', port: '5000' }, environment))
const named = (key: string, environment: Readonly<Record<string, string>> = {}) =>
  settings(environment).find((one) => one.key === key)

it('lists every setting once, with what is in force and what is usual', () => {
  const keys = settings({}).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(named('port')).toMatchObject({ value: 5000, usual: 4810, isSet: true })
  expect(named('encoder')).toMatchObject({ value: 'auto', isSet: false })
  expect(named('allowedHosts', { CUTROOM_ALLOWED_HOSTS: 'a.example,b.example' })?.value).toBe(
    'a.example, b.example',
  )
})

it('says of a secret only whether it is set', () => {
  const environment = { CUTROOM_METRICS_TOKEN: 'very-secret', CUTROOM_REDIS_URL: 'redis://:pass@host:6379' }
  expect(named('metricsToken', environment)).toMatchObject({ value: null, isSet: true, secret: true })
  expect(named('gettyPassword')).toMatchObject({ value: null, isSet: false, secret: true })
  expect(JSON.stringify(settings(environment))).not.toMatch(/very-secret|pass@/)
})

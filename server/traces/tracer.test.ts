import { expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'
import { createLogger } from '../log.ts'
import { formatTraceparent, readTraceparent, spanIdOf, traceIdOf } from './spans.ts'
import { startTracer } from './tracer.ts'

const log = createLogger('error', () => undefined)
const maker = { service: 'cutroom', instance: 'one' }

it('knows one trace for one run, and another span for each part of it', () => {
  expect(traceIdOf('r')).toMatch(/^[0-9a-f]{32}$/)
  expect(traceIdOf('r')).toBe(traceIdOf('r'))
  expect(traceIdOf('r')).not.toBe(traceIdOf('s'))
  expect(new Set([spanIdOf('o'), spanIdOf('o', 'probe'), spanIdOf('o', 'faces')]).size).toBe(3)
})

it('reads back the context that goes with a task, and nothing else', () => {
  const context = { traceId: traceIdOf('r'), spanId: spanIdOf('o') }
  expect(readTraceparent(formatTraceparent(context))).toEqual(context)
  for (const text of [undefined, '', 'x', `01-${context.traceId}-${context.spanId}-01`, '00-1-2-01'])
    expect(readTraceparent(text)).toBeNull()
})

it('is off by default, also where other programs of the machine have a collector', () => {
  const of = (environment: Record<string, string>) =>
    loadConfig({ home: '/none' }, environment).traces.endpoint
  expect(of({})).toBeNull()
  expect(of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).toBeNull()
  expect(of({ CUTROOM_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).toBe('http://127.0.0.1:4318')
})

it('is not there without a collector, and refuses another machine while the network is off', () => {
  expect(startTracer({ traces: { endpoint: null }, network: 'on' }, maker, log)).toBeNull()
  const away = { traces: { endpoint: 'http://10.0.0.9:4318' }, network: 'off' as const }
  expect(() => startTracer(away, maker, log)).toThrow(AppError)
  expect(() => startTracer(away, maker, log)).toThrow('The collector of traces at 10.0.0.9:4318')
})

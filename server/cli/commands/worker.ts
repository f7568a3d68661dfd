import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { defineCommand, EXIT, optional, required } from '../command.ts'
import { createCommandLog, warnOfUnknownSettings } from '../command-log.ts'
import { stopSignal } from '../stop-signal.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { LABELS, type PlaceKind } from '../../jobs/remote/protocol.ts'

function tokenOf(given: string | undefined, file: string | undefined): string {
  const token = (file === undefined ? given : readToken(file))?.trim() ?? ''
  if (token === '')
    throw new AppError('INVALID_USAGE', {
      message:
        'Give --token or --token-file: `cutroom service-token issue --subject NAME --for worker` on the appliance makes one.',
    })
  return token
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INVALID_REQUEST', { message: `The token cannot be read: ${why}.`, cause })
  }
}

function labelsOf(given: string | undefined): readonly PlaceKind[] {
  if (given === undefined) return LABELS
  const wanted = given.split(',').map((word) => word.trim())
  const odd = wanted.find((word) => !LABELS.some((label) => label === word))
  if (odd === undefined) return LABELS.filter((label) => wanted.includes(label))
  throw new AppError('INVALID_USAGE', {
    message: `There is no kind of work "${odd}"; give some of ${LABELS.join(',')}.`,
  })
}

function secondsOf(given: string | undefined): number {
  const seconds = Number(given ?? 3600)
  if (given?.trim() !== '' && Number.isInteger(seconds) && seconds >= 0) return seconds
  throw new AppError('INVALID_USAGE', { message: '--drain takes whole seconds.' })
}

/** A machine more for an appliance. */
export const worker = defineCommand({
  summary: 'Do stages of an appliance on this machine; needs an appliance with CUTROOM_QUEUE=bullmq',
  options: {
    server: required('URL', 'the appliance'),
    token: optional('TOKEN', 'a service token of the appliance'),
    'token-file': optional('FILE', 'the same from a file, out of sight'),
    labels: optional('KINDS', 'kinds of work that it takes: cpu,render,gpu (else all)'),
    drain: optional('SECONDS', 'how long what it works on may take to end after SIGTERM (else 3600)'),
    redis: optional('URL', 'where Redis is from here (else as the appliance says)'),
  },
  examples: {
    'cutroom worker --server http://studio:4810 --token-file token':
      'Takes stages until it is stopped; what it holds then is given back.',
    'cutroom worker --server http://studio:4810 --token-file token --labels gpu':
      'Takes only what runs models on a graphics card.',
  },
  run: async ({ options, terminal }) => {
    const stopped = stopSignal()
    const labels = labelsOf(options.labels)
    const drainSeconds = secondsOf(options.drain)
    const token = tokenOf(options.token, options['token-file'])
    const given = omitUndefined({ home: options.home })
    const base = loadConfig(given)
    // Separate from the home, because an appliance may run on the same machine; its models are shared.
    const config = options.home === undefined ? { ...base, home: join(base.home, 'worker') } : base
    const log = createCommandLog(config.log, options.json, terminal)
    warnOfUnknownSettings(log, given)
    const { startWorkerNode } = await import('../../worker-node/node.ts')
    const starting = startWorkerNode({
      config,
      log,
      token,
      server: options.server,
      redisUrl: options.redis ?? null,
      labels,
    })
    // While Redis is unreachable it would not end by itself.
    const node = await Promise.race([starting, stopped.then(() => null)])
    if (node === null) process.exit(EXIT.done)
    const { name, queues } = node
    if (options.json)
      terminal.out(JSON.stringify({ event: 'working', name, pid: process.pid, queues: queues.length }))
    else terminal.out(`"${name}" takes work from ${options.server}. Ctrl-C stops it.`)
    const ended = await Promise.race([stopped, node.refused.then(() => 'refused' as const)])
    const refused = ended === 'refused'
    if (ended === 'SIGTERM') {
      log.info('stops taking work; what it works on is ended first', { node: name, drainSeconds })
      await Promise.race([node.drain(), pause(drainSeconds * 1000, undefined, { ref: false })])
    }
    await node.stop()
    if (refused)
      throw new AppError('UNAUTHENTICATED', {
        message:
          'The appliance does not take the token any more; make a new one with `cutroom service-token issue --for worker`.',
      })
    return EXIT.done
  },
})

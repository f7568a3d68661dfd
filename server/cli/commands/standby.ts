/** A second appliance: follows the one in charge, and takes over. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { putFollowerNote, removeFollowerNote, SAY_MS } from '../../domain/standby/followers.ts'
import { copyOf, openFollower, takeOver, type Follower } from '../../domain/standby/follow.ts'
import { openStandbyPlace } from '../../domain/standby/place.ts'
import { readStanding, writeStanding } from '../../domain/standby/standing.ts'
import type { BackupStore } from '../../domain/backups/store.ts'
import { openHome, type Home } from '../../home.ts'
import { acquireHomeLock } from '../../jobs/home-lock.ts'
import { watchStandbyLease, type LeaseWatch } from '../../jobs/standby-lease.ts'
import type { Logger } from '../../log.ts'
import { isKeyTrouble, keyTrouble, useKey } from '../../secrets.ts'
import { defineCommand, EXIT, optional, type Terminal } from '../command.ts'
import { createCommandLog } from '../command-log.ts'
import { commandConfig } from '../open-home.ts'
import { prepareServing, runUntilStopped } from './serve.ts'

/** How often changes are looked for, and how often everything else is. */
const FOLLOW_MS = 300
const LOOK_MS = 1000
const ROUND_MS = 5000
/** How long a command waits for the follower of its home. */
const PROMOTE_MS = 60_000

const promoteFile = (home: Home): string => join(home.root, 'standby-promote')

function requireStandby(config: Config): void {
  if (config.standby === 'on') return
  throw new AppError(
    'INVALID_CONFIGURATION',
    'A standby needs CUTROOM_STANDBY=on and the CUTROOM_STORE of the appliance that it follows, here and there.',
  )
}

/** Follows, takes over, and serves from then on. */
export const standby = defineCommand({
  summary: 'Follow the appliance in charge, and take over once it is gone',
  options: {
    port: optional('N', 'port to serve on once it is in charge (CUTROOM_PORT, 4810)'),
    host: optional('ADDR', 'address to listen on then (CUTROOM_HOST, 127.0.0.1)'),
  },
  examples: {
    'cutroom standby':
      'On a second machine, with the CUTROOM_STORE, the secret.key and CUTROOM_STANDBY=on of the first.',
  },
  run: async ({ options, terminal }) => {
    const { config, log, stopped } = prepareServing(options, terminal)
    requireStandby(config)
    const home = openHome(config.home)
    const place = openStandbyPlace(config)
    const followed = await followUntilGone({
      config,
      home,
      place,
      log,
      json: options.json,
      terminal,
      stopped,
    })
    if (followed === null) return EXIT.done
    const { startAppliance } = await import('../../index.ts')
    const appliance = await startAppliance(config, log, followed)
    return await runUntilStopped(appliance, { stopped, json: options.json, terminal })
  },
})

interface Following {
  readonly config: Config
  readonly home: Home
  readonly place: BackupStore
  readonly log: Logger
  readonly json: boolean
  readonly terminal: Terminal
  readonly stopped: Promise<NodeJS.Signals>
}

/** The claim of this home once the other appliance is gone; null: stopped by a signal. */
async function followUntilGone(following: Following) {
  const { config, home, place, log, stopped } = following
  useKey(home, config)
  const lock = acquireHomeLock(home, Date.now())
  const ended = new AbortController()
  void stopped.then(() => ended.abort())
  const watch = await watchStandbyLease(config, log)
  try {
    rmSync(promoteFile(home), { force: true })
    const follower = openFollower({ home, place, log })
    const why = await follow(following, follower, watch, ended.signal)
    if (why === null) return null
    log.warn('takes over', { why })
    const began = performance.now()
    const claim = await takeOver({ home, place, log }, follower)
    forgetFollowing(following)
    say(following, {
      event: 'took-over',
      text: `Took over (epoch ${claim.epoch}).`,
      epoch: claim.epoch,
      milliseconds: Math.round(performance.now() - began),
    })
    return { claim }
  } finally {
    watch?.close()
    lock.release()
  }
}

/** Why to take over; null: stopped. */
async function follow(
  following: Following,
  follower: Follower,
  watch: LeaseWatch | null,
  signal: AbortSignal,
): Promise<string | null> {
  const { home, log } = following
  let failing = false
  let round = 0
  let looked = 0
  let seen = ''
  const beat = createHeartbeat(following, follower)
  while (!signal.aborted) {
    const now = performance.now()
    try {
      if (now >= round) {
        await follower.catchUp(signal)
        round = performance.now() + ROUND_MS
      } else await follower.follow(signal)
      failing = false
      await beat()
    } catch (error) {
      if (signal.aborted) return null
      if (isKeyTrouble(error)) throw error
      if (!failing) log.error('the appliance in charge cannot be followed; it is tried again', { error })
      failing = true
      round = 0
    }
    const state = describe(follower)
    if (state.text !== seen) say(following, state)
    seen = state.text
    if (existsSync(promoteFile(home))) {
      rmSync(promoteFile(home), { force: true })
      if (follower.head() !== null) return 'by command'
      log.error('there is nothing to take over: no appliance ever was in charge')
    }
    if (watch !== null && now >= looked && follower.position() !== null) {
      looked = now + LOOK_MS
      const lease = await watch.look().catch(() => 'unknown' as const)
      if (lease === 'gone') return 'its lease ran out'
    }
    await pause(failing ? LOOK_MS : FOLLOW_MS, undefined, { signal }).catch(() => undefined)
  }
  return null
}

/**
 * Tells the appliance in charge how far this one is, now and then. Throws SECRETS_KEY_UNAVAILABLE where it could not open
 * what is sealed there, the first time; a key that is changed there later is logged, and told.
 */
function createHeartbeat({ home, place, log }: Following, follower: Follower): () => Promise<void> {
  const { holder } = writeStanding(home, {})
  let next = 0
  /** As it was found last; undefined: it was not looked at yet. */
  let known: string | null | undefined
  return async () => {
    const position = follower.position()
    if (position === null || performance.now() < next) return
    const trouble = keyTrouble(home, copyOf(home))
    if (trouble !== null && known === undefined) throw lacksKey(trouble)
    if (trouble !== null && trouble !== known)
      log.error('the key of the secrets is not that of the appliance in charge', { trouble })
    known = trouble
    const note = { ...position, machine: hostname(), keyFits: trouble === null, at: Date.now() }
    await putFollowerNote(place, holder, { version: 1, ...note })
    next = performance.now() + SAY_MS
  }
}

const lacksKey = (trouble: string): AppError =>
  new AppError('SECRETS_KEY_UNAVAILABLE', {
    message: `A standby needs the key of the appliance that it follows: copy secret.key from that home to this one. ${trouble}`,
  })

/** It does not follow any more; what it said of that grows old by itself where the store is away. */
function forgetFollowing({ home, place, log }: Following): void {
  removeFollowerNote(place, writeStanding(home, {}).holder).catch((error: unknown) =>
    log.debug('what it said as a standby stays in the store for now', { error }),
  )
}

/** Said once for each appliance that it follows. */
function describe(follower: Follower): Said {
  const head = follower.head()
  const position = follower.position()
  if (head === null || position === null)
    return { event: 'waiting', text: 'Waiting for the appliance in charge.' }
  const { machine } = head.beginning
  return {
    event: 'following',
    text: `Following the appliance on ${machine} (epoch ${head.epoch}). Ctrl-C ends it.`,
    epoch: head.epoch,
    machine,
  }
}

interface Said {
  readonly event: 'waiting' | 'following' | 'took-over'
  readonly text: string
  readonly epoch?: number
  readonly machine?: string
  readonly milliseconds?: number
}

function say({ json, terminal }: Following, { text, ...facts }: Said): void {
  terminal.out(json ? JSON.stringify(facts) : text)
}

/** Takes over now, by a person's word. */
export const standbyPromote = defineCommand({
  summary: 'Take over now from the appliance in charge, which stops itself',
  examples: {
    'cutroom standby promote': 'On the second machine, beside `cutroom standby` or without it.',
  },
  run: async ({ options, terminal }) => {
    const config = commandConfig(options)
    requireStandby(config)
    const home = openHome(config.home)
    const log = createCommandLog('warn', options.json, terminal)
    const lock = tryLock(home)
    if (lock === null) return await askFollower(home)
    try {
      const place = openStandbyPlace(config)
      if (readStanding(home)?.role === 'in charge')
        throw new AppError('INVALID_STATE', `${home.root} is in charge already: cutroom serve starts it.`)
      const { epoch } = await takeOver({ home, place, log }, openFollower({ home, place, log }))
      useKey(home, config)
      const problem = keyTrouble(home)
      const done = `This home is in charge (epoch ${epoch}). Start it: cutroom serve`
      return {
        json: { epoch, serving: false, problem },
        text: problem === null ? done : `${done}\n${problem}`,
      }
    } finally {
      lock.release()
    }
  },
})

/** Null: a process has the home. */
function tryLock(home: Home) {
  try {
    return acquireHomeLock(home, Date.now())
  } catch (error) {
    if (error instanceof AppError && error.code === 'HOME_IN_USE') return null
    throw error
  }
}

async function askFollower(home: Home) {
  if (readStanding(home)?.role !== 'follows')
    throw new AppError('INVALID_STATE', `The appliance that runs on ${home.root} is in charge already.`)
  writeFileSync(promoteFile(home), '', { mode: 0o600 })
  for (let waited = 0; waited < PROMOTE_MS; waited += FOLLOW_MS) {
    await pause(FOLLOW_MS)
    const standing = readStanding(home)
    if (standing?.role === 'in charge')
      return {
        json: { epoch: standing.epoch, serving: true },
        text: `This appliance is in charge (epoch ${standing.epoch}); the other one stops itself.`,
      }
  }
  rmSync(promoteFile(home), { force: true })
  throw new AppError('STORE_UNAVAILABLE', {
    message:
      'It could not take over within a minute; nothing was changed. Look at the log of cutroom standby.',
  })
}

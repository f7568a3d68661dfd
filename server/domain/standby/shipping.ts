/**
 * What is committed by the appliance in charge goes to the store, and what anybody is told waits for that. Another
 * appliance that takes over is noticed before anything more counts. docs/decisions/0100.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../contract/errors.ts'
import { merged, type LogReader, type PageChanges } from '../../db/log-reader.ts'
import { PAGE_BYTES } from '../../db/log-format.ts'
import type { Home } from '../../home.ts'
import type { Logger } from '../../log.ts'
import type { BackupStore } from '../backups/store.ts'
import { pruneBases, writeBase, type Base } from './base.ts'
import { SAY_MS, watchFollowers, type FollowerNote, type FollowerWatch } from './followers.ts'
import { changeName, isFenced, type Position } from './place.ts'
import { packChanges } from './shipment.ts'
import { fenceHome } from './standing.ts'

/** How often the log is looked at for what nobody waits for: progress, and what commands write. */
const LOOK_MS = 200
/** For so long after it was last seen that nobody took over, this is taken to be so. */
const CERTAIN_MS = 4000
/** How long an answer waits for a store that is away. */
const PATIENCE_MS = 15_000
const RETRY_MS = 1000
/** The log of the database grows so large before it is put into it. */
const LOG_BYTES = 8 * 1024 ** 2
/** After so much, or as much as the database has, its base is written anew, so that a standby has little to catch up. */
const BASE_BYTES = 64 * 1024 ** 2
/** At the end, for what was committed last. */
const LAST_MS = 3000

export interface ChargeFacts {
  readonly epoch: number
  /** How long the oldest change waits to be shipped, in milliseconds. */
  readonly lagMs: number
  readonly shipments: number
  readonly bytes: number
  /** Standbys that are there, as they say themselves. */
  readonly followers: readonly FollowerNote[]
}

export interface Charge {
  readonly epoch: number
  /**
   * Resolves once all that is committed now is where a standby finds it. Throws NOT_IN_CHARGE where another took over,
   * STORE_UNAVAILABLE where the store is away: then what was done may count or not.
   */
  readonly settled: () => Promise<void>
  /** Throws NOT_IN_CHARGE unless nobody took over, as of some seconds ago at most; STORE_UNAVAILABLE. */
  readonly require: () => Promise<void>
  /** Whether it was seen some seconds ago at most that nobody took over. False: ask `require`. */
  readonly isCertain: () => boolean
  /** Resolves with what to say when it is over: another took over, or the log of the database cannot be followed. */
  readonly over: Promise<AppError>
  readonly facts: () => ChargeFacts
  /** Ships what is left. */
  readonly stop: () => Promise<void>
}

export interface ChargeInput {
  readonly home: Home
  readonly log: Logger
  readonly place: BackupStore
  readonly now: () => number
}

/** Takes another base of the database than the one that is there. */
interface Bases {
  known: Base | null
  /** Of the last one. */
  position: Position
  /** Shipped since then. */
  bytes: number
  writing: Promise<void> | null
}

interface Waiting {
  /** The shipment that it waits for. */
  readonly change: number
  readonly end: (error: AppError | null) => void
}

interface Shipping extends ChargeInput {
  readonly epoch: number
  readonly reader: LogReader
  readonly followers: FollowerWatch
  readonly waiting: Set<Waiting>
  readonly bases: Bases
  /** Ends it all, once. */
  readonly finish: (error: AppError) => void
  /** Why nothing is shipped any more; null: it goes on. */
  error: AppError | null
  /** The number of the last shipment that was begun, and of the last that is there. */
  started: number
  shipped: number
  /** What is to be shipped next, and since when. */
  pending: PageChanges | null
  pendingSince: number
  /** Since when the shipment that is on its way waits. */
  oldest: number
  bytes: number
  /** Nobody else is in charge until then, by the clock of this process. */
  certainUntil: number
  failing: boolean
  going: Promise<void> | null
  asking: Promise<void> | null
}

interface Beginning {
  readonly epoch: number
  /** Of this home: standing.ts. */
  readonly holder: string
  /** What lies there already; null: nothing. */
  readonly base: Base | null
  readonly reader: LogReader
}

/** Ships all that is committed from now on, as of the beginning of an epoch, until it is stopped or over. */
export function shipFrom(input: ChargeInput, { epoch, holder, base, reader }: Beginning): Charge {
  const { promise: over, resolve: finish } = Promise.withResolvers<AppError>()
  const shipping: Shipping = {
    ...input,
    epoch,
    reader,
    finish,
    followers: watchFollowers(input.place, holder),
    waiting: new Set(),
    bases: { known: base, position: { epoch, change: 0 }, bytes: 0, writing: null },
    error: null,
    started: 0,
    shipped: 0,
    pending: null,
    pendingSince: 0,
    oldest: 0,
    bytes: 0,
    certainUntil: performance.now() + CERTAIN_MS,
    failing: false,
    going: null,
    asking: null,
  }
  const timers = [
    setInterval(() => look(shipping), LOOK_MS),
    setInterval(() => lookForFollowers(shipping), SAY_MS),
  ]
  const rest = (): void => timers.forEach((timer) => clearInterval(timer))
  lookForFollowers(shipping)
  void over.then(rest)
  return {
    epoch,
    settled: () => settle(shipping),
    require: () => requireCharge(shipping),
    isCertain: () => isCertain(shipping),
    over,
    facts: () => factsOf(shipping),
    stop: async () => {
      rest()
      await shipLast(shipping)
      reader.close()
    },
  }
}

const isCertain = ({ error, certainUntil }: Shipping): boolean =>
  error === null && performance.now() < certainUntil

function end(shipping: Shipping, why: AppError): void {
  if (shipping.error !== null) return
  shipping.error = why
  for (const one of [...shipping.waiting]) one.end(why)
  shipping.finish(why)
}

/** Looks whether another appliance took over. Throws NOT_IN_CHARGE, and what the place throws. */
async function ask(shipping: Shipping): Promise<void> {
  const began = performance.now()
  if (await isFenced(shipping.place, shipping.epoch)) {
    const why = fenceHome(shipping.home)
    end(shipping, why)
    throw why
  }
  shipping.certainUntil = began + CERTAIN_MS
}

const askOnce = (shipping: Shipping): Promise<void> =>
  (shipping.asking ??= ask(shipping).finally(() => {
    shipping.asking = null
  }))

async function requireCharge(shipping: Shipping): Promise<void> {
  if (shipping.error !== null) throw shipping.error
  if (!isCertain(shipping)) await askOnce(shipping).catch(unavailable)
}

async function settle(shipping: Shipping): Promise<void> {
  collect(shipping)
  if (shipping.error !== null) throw shipping.error
  const change = shipping.pending === null ? shipping.started : shipping.started + 1
  if (shipping.shipped >= change) return requireCharge(shipping)
  kick(shipping)
  await waitFor(shipping, change)
}

/** What nobody waits for. */
function look(shipping: Shipping): void {
  collect(shipping)
  kick(shipping)
  if (performance.now() > shipping.certainUntil - CERTAIN_MS / 2)
    askOnce(shipping).catch((error: unknown) =>
      shipping.log.debug('it is not known whether another appliance took over', { error }),
    )
}

function lookForFollowers({ followers, log }: Shipping): void {
  followers
    .look()
    .catch((error: unknown) => log.debug('it is not known whether a standby is there', { error }))
}

/** Takes what was committed since the last look. */
function collect(shipping: Shipping): void {
  if (shipping.error !== null) return
  const { reader, log } = shipping
  const before = shipping.pending
  try {
    shipping.pending = merged(before, reader.read())
    if (reader.bytes() > LOG_BYTES) shipping.pending = merged(shipping.pending, reader.shorten())
  } catch (cause) {
    log.error('the log of the database cannot be followed', { error: cause })
    end(
      shipping,
      new AppError('INVALID_STATE', {
        message:
          'The log of the database was changed by something else than Cutroom, so that the standby cannot follow. Start the appliance again: it ships all of the database anew.',
        cause,
      }),
    )
  }
  if (before === null && shipping.pending !== null) shipping.pendingSince = performance.now()
}

function kick(shipping: Shipping): void {
  if (shipping.going !== null || shipping.pending === null || shipping.error !== null) return
  shipping.going = shipAll(shipping)
    .catch((error: unknown) => shipping.log.error('shipping failed', { error }))
    .finally(() => {
      shipping.going = null
      kick(shipping)
    })
}

/** Ships what is there until nothing is. A store that is away is tried again for as long as it takes. */
async function shipAll(shipping: Shipping): Promise<void> {
  const { place, epoch, bases, waiting } = shipping
  while (shipping.pending !== null && shipping.error === null) {
    const changes = shipping.pending
    shipping.pending = null
    shipping.oldest = shipping.pendingSince
    shipping.started += 1
    const change = shipping.started
    const packed = await packChanges(changes)
    await untilDone(shipping, () => place.put(changeName({ epoch, change }), packed))
    // Only now it is certain that whoever takes over has read it.
    await untilDone(shipping, () => ask(shipping))
    if (isOver(shipping)) return
    shipping.shipped = change
    shipping.bytes += packed.length
    bases.bytes += packed.length
    for (const one of [...waiting]) if (one.change <= change) one.end(null)
    if (bases.bytes > Math.max(BASE_BYTES, changes.size * PAGE_BYTES)) renewBase(shipping)
  }
}

const isOver = ({ error }: Shipping): boolean => error !== null

async function untilDone(shipping: Shipping, act: () => Promise<void>): Promise<void> {
  const { log } = shipping
  while (!isOver(shipping)) {
    try {
      await act()
      if (shipping.failing) log.info('changes are shipped again')
      shipping.failing = false
      return
    } catch (error) {
      if (isOver(shipping)) return
      if (!shipping.failing) log.error('changes could not be shipped; it is tried again', { error })
      shipping.failing = true
      await pause(RETRY_MS)
    }
  }
}

/** Has a standby begin later than it would: all that was shipped is part of a base of now. */
function renewBase(shipping: Shipping): void {
  const { bases, epoch, home, log, place } = shipping
  if (bases.writing !== null) return
  const position = { epoch, change: shipping.started }
  bases.bytes = 0
  bases.writing = writeBase(place, { home, position, known: bases.known }, () => ask(shipping))
    .then(async (written) => {
      const before = bases.position
      Object.assign(bases, { known: written, position })
      // The one before stays: somebody may be reading it.
      await pruneBases(place, epoch, before)
    })
    .catch((error: unknown) => log.warn('the base of the standby could not be renewed', { error }))
    .finally(() => {
      bases.writing = null
    })
}

function waitFor({ waiting }: Shipping, change: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const one: Waiting = {
      change,
      end: (why) => {
        clearTimeout(timeout)
        waiting.delete(one)
        if (why === null) resolve()
        else reject(why)
      },
    }
    const timeout = setTimeout(() => one.end(inDoubt()), PATIENCE_MS)
    waiting.add(one)
  })
}

function factsOf(shipping: Shipping): ChargeFacts {
  const { epoch, going, pending, pendingSince, oldest, shipped, bytes, followers } = shipping
  const since = going === null ? pendingSince : oldest
  const waits = going !== null || pending !== null
  const lagMs = waits ? Math.round(performance.now() - since) : 0
  return { epoch, lagMs, shipments: shipped, bytes, followers: followers.there() }
}

async function shipLast(shipping: Shipping): Promise<void> {
  const end = performance.now() + LAST_MS
  collect(shipping)
  kick(shipping)
  while (shipping.going !== null && performance.now() < end)
    await Promise.race([shipping.going, pause(LAST_MS, undefined, { ref: false })])
  // Not over, and nothing more is shipped.
  shipping.error ??= new AppError('STORE_UNAVAILABLE', 'The appliance was stopped.')
}

const inDoubt = (): AppError =>
  new AppError('STORE_UNAVAILABLE', {
    message:
      'The store does not answer, so what was asked for is not yet where the other appliance finds it: it may count or not. Ask again in a while; with the same Idempotency-Key nothing is done twice.',
  })

/** What is asked of the store answers by its codes of backups. */
function unavailable(error: unknown): never {
  if (error instanceof AppError && error.code === 'NOT_IN_CHARGE') throw error
  throw new AppError('STORE_UNAVAILABLE', { message: inDoubt().message, cause: error })
}

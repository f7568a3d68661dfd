/**
 * Passwords as argon2id (RFC 9106) with OWASP's parameters, stored as PHC strings. Never on the thread that answers requests:
 * Node's own where it has it, else the same function of hash-wasm in a thread. Few at once, since each takes 19 MiB.
 */
import * as crypto from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../../contract/errors.ts'
import { threadProgram } from '../../../db/reading-thread.ts'

export interface Argon2Work {
  readonly password: string
  readonly salt: Uint8Array
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly length: number
}

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
const AT_ONCE = 2
const MAX_WAITING = 30

/** Where Node is built on another library than OpenSSL it has the function, and refuses to run it. */
const withoutArgon2 = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED'

function byNode(work: Argon2Work): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { password, salt, memory, passes, parallelism, length } = work
    const settings = { message: password, nonce: salt, memory, passes, parallelism, tagLength: length }
    crypto.argon2('argon2id', settings, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

/** The same by hash-wasm, in a thread that ends with it. */
export function hashInThread(work: Argon2Work): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(threadProgram(import.meta.url, 'argon2'), { workerData: work })
    thread.once('message', (hash: Uint8Array) => resolve(Buffer.from(hash)))
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the thread that hashes passwords has ended')))
  })
}

async function compute(work: Argon2Work): Promise<Buffer> {
  // Node has it since 24.7; the engines that are allowed begin before that.
  if (typeof crypto.argon2 !== 'function') return hashInThread(work)
  try {
    return await byNode(work)
  } catch (error) {
    if (withoutArgon2(error)) return hashInThread(work)
    throw error
  }
}

let running = 0
const waiting: (() => void)[] = []

/** Runs it when there is room. RATE_LIMITED where too many wait already. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING)
      throw new AppError('RATE_LIMITED', { details: { retryAfterSeconds: 5 } })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    // The place goes to whoever waits longest.
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** A PHC string of a password with a new salt. RATE_LIMITED. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(SALT_BYTES)
  const work = { password, salt, memory: MEMORY_KIB, passes: PASSES, parallelism: LANES, length: HASH_BYTES }
  const hash = await inTurn(() => compute(work))
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(hash)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Whether it is the password of this PHC string. RATE_LIMITED. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, hash] = PHC.exec(stored) ?? []
  if (salt === undefined || hash === undefined) return false
  const expected = Buffer.from(hash, 'base64')
  const work = {
    password,
    salt: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    length: expected.length,
  }
  const computed = await inTurn(() => compute(work))
  return computed.length === expected.length && crypto.timingSafeEqual(computed, expected)
}

/** One password, hashed in a thread of its own: for engines whose Node has no argon2. */
import { parentPort, workerData } from 'node:worker_threads'
import { argon2id } from 'hash-wasm'
import type { Argon2Work } from './hash.ts'

const { password, salt, memory, passes, parallelism, length } = workerData as Argon2Work
const settings = { password, salt, memorySize: memory, iterations: passes, parallelism, hashLength: length }
parentPort?.postMessage(await argon2id({ ...settings, outputType: 'binary' }))

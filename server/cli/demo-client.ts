/** A client of the public API as anyone could write it: trigger, poll, download. Knows nothing of the server's insides. */
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError, isErrorCode } from '../contract/errors.ts'
import { clipFileName } from './arguments.ts'
import { progressReporter } from './terminal.ts'
import type { Terminal } from './command.ts'

export interface DemoClip {
  /** Path of the downloaded file. */
  readonly path: string
  readonly title: string
  /** 0 to 100 */
  readonly score: number
  /** Seconds */
  readonly duration: number
  readonly resolution: string
}

export interface DemoOutcome {
  readonly triggerId: string
  readonly warnings: readonly string[]
  readonly clips: readonly DemoClip[]
}

interface DemoOptions {
  readonly url: string
  readonly key: string
  readonly sourceUrl: string
  /** An existing folder. */
  readonly out: string
  readonly terminal: Terminal
}

interface Results {
  readonly status: string
  readonly progress: number
  readonly stage: string
  readonly warnings: readonly string[]
  readonly error?: string
  readonly code?: string
  readonly clips: readonly {
    readonly id: string
    readonly title: string
    readonly viralityScore: number
    readonly duration: number
    readonly videoResolution: string
    readonly renderedUrl?: string
  }[]
}

const COMPANY = 'local'
const WORKFLOW = 'Vertical shorts'
const POLL_MS = 500

/** Runs the default vertical workflow on the address and downloads what comes out. Throws AppError when the run fails. */
export async function runByPublicApi(options: DemoOptions): Promise<DemoOutcome> {
  const { terminal } = options
  const call = caller(options)
  const { workflows } = await call<{ workflows: { id: string; name: string }[] }>(
    'GET',
    `/workflows?companyId=${COMPANY}`,
  )
  const workflow = workflows.find(({ name }) => name === WORKFLOW)
  if (workflow === undefined) throw new AppError('WORKFLOW_NOT_FOUND', `There is no workflow "${WORKFLOW}".`)
  const { triggerId } = await call<{ triggerId: string }>('POST', '/trigger-template', {
    companyId: COMPANY,
    workflowId: workflow.id,
    url: options.sourceUrl,
  })
  const results = await untilDone(() => call<Results>('GET', `/workflow-results/${triggerId}`), terminal)
  for (const warning of results.warnings) terminal.note(`Note: ${warning}`)
  if (results.status === 'Error') {
    const code = isErrorCode(results.code) ? results.code : 'INTERNAL'
    throw new AppError(code, `The run failed: ${results.error ?? 'no reason was given'}`)
  }
  return { triggerId, warnings: results.warnings, clips: await download(results, options.out) }
}

function caller({ url, key }: DemoOptions) {
  return async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer as T
    const { error, code } = answer as { error?: string; code?: string }
    throw new AppError(
      isErrorCode(code) ? code : 'INTERNAL',
      `${method} ${path} answered ${response.status}: ${error ?? ''}`,
    )
  }
}

async function untilDone(poll: () => Promise<Results>, terminal: Terminal): Promise<Results> {
  const progress = progressReporter(terminal)
  try {
    for (;;) {
      const results = await poll()
      progress.update(results.progress, results.stage)
      if (results.status === 'Completed' || results.status === 'Error') return results
      await pause(POLL_MS)
    }
  } finally {
    progress.end()
  }
}

async function download(results: Results, out: string): Promise<DemoClip[]> {
  const clips: DemoClip[] = []
  for (const [place, clip] of results.clips.entries()) {
    if (clip.renderedUrl === undefined)
      throw new AppError('RENDER_FAILED', `Clip "${clip.title}" has no rendered file.`)
    const path = join(out, clipFileName(place + 1, clip.title))
    // Media addresses need no key: whoever has one may download it.
    const response = await fetch(clip.renderedUrl)
    if (!response.ok || response.body === null)
      throw new AppError('INTERNAL', `${clip.renderedUrl} answered ${response.status}.`)
    await pipeline(response.body, createWriteStream(`${path}.part`))
    await rename(`${path}.part`, path)
    const { title, viralityScore, duration, videoResolution } = clip
    clips.push({ path, title, score: viralityScore, duration, resolution: videoResolution })
  }
  if (clips.length === 0) throw new AppError('NO_CLIPS')
  return clips
}

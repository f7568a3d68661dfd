/** Checks a downloaded or copied file, a model's or ffmpeg's. Bad copies are common, so the reason is given in words that people understand. */
import { open, readFile, stat } from 'node:fs/promises'
import { sha256OfFile } from './installed.ts'
import type { ModelFile } from './manifest.ts'

export type Checked =
  | { readonly ok: true; readonly bytes: number; readonly sha256: string }
  | { readonly ok: false; readonly why: string }

const MAX_JSON_BYTES = 64 * 1024 ** 2

/** Checks size, format and checksum of the copy at `path`. `recorded`: the checksum that an earlier install stored. */
export async function checkModelFile(
  path: string,
  file: ModelFile,
  recorded: string | null = null,
): Promise<Checked> {
  const facts = await stat(path).catch(() => null)
  if (facts === null) return { ok: false, why: 'it is missing' }
  if (facts.size === 0) return { ok: false, why: 'it is empty' }
  const format = await formatProblem(path, file.path, facts.size)
  if (format !== null) return { ok: false, why: format }
  if (file.bytes !== null && facts.size !== file.bytes) {
    return {
      ok: false,
      why: `it has ${facts.size} bytes instead of ${file.bytes}: it was cut short or is another version`,
    }
  }
  const sha256 = await sha256OfFile(path)
  const wanted = file.sha256 ?? recorded
  if (wanted !== null && sha256 !== wanted)
    return { ok: false, why: `its SHA-256 is ${sha256} instead of ${wanted}` }
  return { ok: true, bytes: facts.size, sha256 }
}

async function formatProblem(path: string, name: string, size: number): Promise<string | null> {
  const head = await firstBytes(path, 512)
  const text = head.toString('utf8').trimStart().toLowerCase()
  if (text.startsWith('version https://git-lfs')) return 'it is a Git LFS pointer, not the file itself'
  if (text.startsWith('<!doctype') || text.startsWith('<html'))
    return 'it is a web page (a sign-in or error page), not the file itself'
  if (name.endsWith('.json')) return jsonProblem(path, size)
  // Every ONNX file is a protobuf message that begins with its version number.
  if (name.endsWith('.onnx') && head[0] !== 0x08) return 'it is not an ONNX file'
  return null
}

async function jsonProblem(path: string, size: number): Promise<string | null> {
  if (size > MAX_JSON_BYTES) return 'it is too large to be a settings file'
  try {
    JSON.parse(await readFile(path, 'utf8'))
    return null
  } catch {
    return 'it is not whole JSON: it was cut short or damaged'
  }
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(count)
    const { bytesRead } = await file.read(buffer, 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

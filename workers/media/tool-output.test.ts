import { expect, it } from 'vitest'
import { findMeaningfulLine, createProgressReader, createTailBuffer } from './pipes.ts'
import { parseNameTable } from './tools.ts'

it('finds the line that tells why', () => {
  const stderr = '[mov,mp4 @ 0x5581] moov atom not found\n/a.mp4: Invalid data found\nConversion failed!\n'
  expect(findMeaningfulLine(stderr)).toBe('/a.mp4: Invalid data found')
  expect(findMeaningfulLine('[mov,mp4 @ 0x55f81] moov atom not found\n')).toBe('moov atom not found')
  expect([findMeaningfulLine(''), findMeaningfulLine('Conversion failed!\n')]).toEqual([
    '',
    'Conversion failed!',
  ])
})

it('keeps only the tail', () => {
  const tail = createTailBuffer()
  for (let index = 0; index < 5000; index++) tail.add(Buffer.from(`line ${index} ${'x'.repeat(90)}\n`))
  expect(tail.text()).toHaveLength(64 * 1024)
  expect(tail.text().trimEnd()).toMatch(/line 4999 x+$/)
})

it('reads the progress clock across broken chunks', () => {
  const seen: number[] = []
  const read = createProgressReader((seconds) => seen.push(seconds))
  for (const part of [
    'frame=1\nout_time_',
    'ms=15000',
    '00\nprogress=continue\nout_time_ms=N/A\n',
    'out_time_ms=-9\n',
  ])
    read(Buffer.from(part))
  expect(seen).toEqual([1.5])
})

it('reads names out of the tables that ffmpeg prints', () => {
  const text = 'Encoders:\n V..... = Video\n ------\n V..... libx264   H.264\n A..... aac   AAC\n'
  expect([...parseNameTable(text)]).toEqual(['libx264', 'aac'])
  expect([
    ...parseNameTable('  T.. = Timeline support\n TS aap   AA->A  Apply\n .. scale  V->V  x\n'),
  ]).toEqual(['aap', 'scale'])
  expect([...parseNameTable(' ... = x\n ..C zscale   V->V  Apply\n TSC blend  VV->V x\n')]).toEqual([
    'zscale',
    'blend',
  ])
})

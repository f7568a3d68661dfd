import { expect, test } from 'vitest'
import { findNamedFiles } from './files.ts'
import { cutArguments } from './record.ts'
import { factsArguments } from './probe.ts'
import { pageArguments } from './yt-dlp.ts'

test('ffmpeg reads its inputs and its graph, and writes beside its outputs', () => {
  const graph = ['-filter_complex_script', 'file:/work/graph.txt']
  const args = [
    '-y',
    '-i',
    'file:/sources/a b.mp4',
    '-i',
    '/music.wav',
    ...graph,
    '-map',
    '0:v',
    'file:/work/out/clip.mp4',
  ]
  expect(findNamedFiles(args)).toEqual({
    read: ['/sources/a b.mp4', '/music.wav', '/work/graph.txt'],
    written: ['/work/out'],
  })
})

test('pipes, generated pictures and numbers are no files', () => {
  const args = ['-f', 'lavfi', '-i', 'color=c=gray', '-i', 'pipe:3', '-r', '30000/1001', 'pipe:1']
  expect(findNamedFiles(args)).toEqual({ read: [], written: [] })
})

test('a picture that a graph makes of nothing is written', () => {
  const graph = ['-filter_complex', 'color=c=black:d=1[still]', '-map', '[still]']
  expect(findNamedFiles([...graph, '-f', 'mjpeg', 'file:/work/out/still.jpg'])).toEqual({
    read: [],
    written: ['/work/out'],
  })
})

test('ffprobe only reads', () => {
  expect(findNamedFiles(factsArguments('/sources/talk.mp4'))).toEqual({
    read: ['/sources/talk.mp4'],
    written: [],
  })
})

test('a stream is cut into a folder, whatever its name', () => {
  const input = { kind: 'pipe' } as const
  expect(findNamedFiles(cutArguments(input, '/spool/50%', 'part')).written).toEqual(['/spool/50%'])
})

test('yt-dlp reads what it is told and writes into one folder', () => {
  const video = {
    infoFile: '/tmp/t/info.json',
    folder: '/tmp/t',
    maxBytes: 1,
    ffmpeg: '/opt/ffmpeg',
    proxy: '/tmp/t/guard.conf',
  }
  expect(findNamedFiles(pageArguments(video))).toEqual({
    read: ['/tmp/t/guard.conf', '/opt/ffmpeg', '/tmp/t/info.json'],
    written: ['/tmp/t'],
  })
})

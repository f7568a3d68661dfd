import { describe, expect, it } from 'vitest'
import { sniff, describeNonVideo } from './media-type.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const packets = (size: number, offset: number): Uint8Array => {
  const stream = new Uint8Array(size * 4)
  for (let index = 0; index < 4; index++) stream[offset + index * size] = 0x47
  return stream
}

describe('sniffing', () => {
  it.each([
    ['\0\0\0\x18ftypisom', 'video/mp4'],
    ['\0\0\0\x14ftypqt  ', 'video/quicktime'],
    ['\0\0\0\x14ftypM4A ', 'audio/mp4'],
    ['\0\0\0\x08wide\0\0', 'video/quicktime'],
    ['\x1a\x45\xdf\xa3\x9f\x42\x86webm', 'video/webm'],
    ['\x1a\x45\xdf\xa3\x9f\x42\x86matroska', 'video/x-matroska'],
    ['RIFF\0\0\0\0AVI LIST', 'video/x-msvideo'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['OggS\0\x02', 'audio/ogg'],
    ['FLV\x01\x05', 'video/x-flv'],
    ['\0\0\x01\xba\x44', 'video/mpeg'],
    ['ID3\x04\0\0', 'audio/mpeg'],
    ['\xff\xfb\x90\x64\0', 'audio/mpeg'],
    ['\xff\xf1\x50\x80\0', 'audio/aac'],
    ['fLaC\0\0', 'audio/flac'],
  ])('%j is %s', (head, mediaType) => {
    expect(sniff(bytes(head))).toEqual({ kind: 'media', mediaType })
  })

  it.each([
    ['<!DOCTYPE html><html>', 'page'],
    ['\xef\xbb\xbf\n  <HTML lang="en">', 'page'],
    ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'page'],
    ['1\r\n00:00:01,000 --> 00:00:02,000\r\nHi', 'subtitles'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000', 'subtitles'],
    ['[Script Info]\nTitle: x', 'subtitles'],
    [
      '\xff\xfe1\0\n\0' + Array.from('00:00:01,000 --> 00:00:02,000', (letter) => letter + '\0').join(''),
      'subtitles',
    ],
    ['#EXTM3U\n#EXTINF:10,\na.ts', 'playlist'],
    ['ffconcat version 1.0\nfile /etc/passwd', 'playlist'],
    ['{"error":"not found"}', 'text'],
    ['\x89PNG\r\n\x1a\n', 'image'],
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'image'],
    ['PK\x03\x04\x14', 'archive'],
    ['\0\0\0\x18ftypheic', 'unknown'],
    ['\x01\x02\x03\x04', 'unknown'],
    ['', 'unknown'],
  ])('%j is %s', (head, kind) => {
    const found = sniff(bytes(head))
    expect(found.kind).toBe(kind)
    expect(describeNonVideo(found) === null).toBe(kind === 'unknown')
  })

  it('knows transport streams by their packets, with and without time stamps', () => {
    expect(sniff(packets(188, 0))).toEqual({ kind: 'media', mediaType: 'video/mp2t' })
    expect(sniff(packets(192, 4))).toEqual({ kind: 'media', mediaType: 'video/mp2t' })
    expect(sniff(packets(190, 0)).kind).toBe('unknown')
  })
})

import { expect, it } from 'vitest'
import { hideSecrets } from './hide-secrets.ts'

it.each([
  [
    'GET https://files.example/a.mp4?X-Sig=abc123&e=1 failed',
    'GET https://files.example/a.mp4?hidden failed',
  ],
  ['redis://:letmein@host:6379', 'redis://hidden@host:6379'],
  ['authorization: Bearer abcDEF123456', 'authorization: Bearer hidden'],
  ['{"url":"/media/Zk3_9-aB7dQ1xYw2mN4p/clip.mp4"}', '{"url":"/media/hidden/clip.mp4"}'],
  ['{"token":"short"}', '{"token":"hidden"}'],
  ['made aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF just now', 'made hidden just now'],
])('hides what opens something: %s', (text, hidden) => {
  expect(hideSecrets(text)).toBe(hidden)
})

it('leaves what a report needs', () => {
  const line =
    '{"level":"error","requestId":"5f0c2f0e-1d5e-4c1e-9d63-0a6f6a3b9c11","digest":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","message":"no space left"}'
  expect(hideSecrets(line)).toBe(line)
})

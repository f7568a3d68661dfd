import { expect, it } from 'vitest'
import { routeIndex } from './route-index.ts'

it('finds exact paths, parameters anywhere, and nothing where there is nothing', () => {
  const index = routeIndex([
    { method: 'GET', path: '/clips' },
    { method: 'GET', path: '/clips/:id' },
    { method: 'PATCH', path: '/clips/:id' },
    { method: 'POST', path: '/clips/:id/render' },
    { method: 'GET', path: '/:any/about' },
  ])
  expect(index.methods('/clips')).toEqual(['GET', 'HEAD', 'OPTIONS'])
  expect(index.methods('/clips/7')).toEqual(['GET', 'PATCH', 'HEAD', 'OPTIONS'])
  expect(index.template('/clips/7/render')).toBe('/clips/:id/render')
  // What another template begins with as well, and what none does.
  expect([index.template('/clips/about'), index.template('/posts/about')]).toEqual([
    '/clips/:id',
    '/:any/about',
  ])
  expect(['/clips/7/other', '/posts', '/', '/clips/~verb', ''].map((path) => index.methods(path))).toEqual(
    Array(5).fill(null),
  )
})

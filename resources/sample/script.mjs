// The talk itself: who says what, how long the room stays quiet afterwards, and what the camera shows.
//
// Each line is one sentence, synthesised on its own so that its edges are known to the millisecond.
//   gap   silence after the line, in seconds (default: an ordinary sentence end)
//   shot  'wide', 'host', 'guest' or a slide's name (default: a single of whoever speaks)
//   say   what the voice is given when its spelling rules need help; the captions keep `text`
//   plate the lower-third name plate to show while this line is spoken
//   mood  'warm' for a smile, 'grave' for none at all

export const people = {
  host: { name: 'Maya Lind', role: 'Host, Still Open', voice: 'slt', stretch: 1.06 },
  guest: { name: 'Ruben Hale', role: 'Lantern Street Cycles', voice: 'rms', stretch: 1.0 },
}

const host = (text, options = {}) => ({ speaker: 'host', text, gap: 0.42, ...options })
const guest = (text, options = {}) => ({ speaker: 'guest', text, gap: 0.4, ...options })

const lines = [
  // A loose start: nothing here is worth a clip.
  host('Um, okay. Are we rolling?', { shot: 'wide', gap: 0.6 }),
  host('Good.', { shot: 'wide', gap: 0.9 }),
  host('Hello, and welcome back to Still Open, the show about small places that refused to close.', {
    shot: 'wide',
    gap: 0.5,
    mood: 'warm',
  }),
  host("I'm Maya Lind.", { plate: 'host', gap: 0.5, mood: 'warm' }),
  host('My guest today is Ruben Hale, who runs a bicycle repair shop on Lantern Street.', { plate: 'host' }),
  host('Ruben, thank you for coming in.', { shot: 'wide', gap: 0.4, mood: 'warm' }),
  guest('Thank you.', { plate: 'guest', gap: 0.35, mood: 'warm' }),
  guest('I, uh, I rode here in the rain, so please excuse the hair.', {
    plate: 'guest',
    gap: 0.5,
    mood: 'warm',
  }),
  host('You know, the hair is fine.', { gap: 0.5, mood: 'warm' }),
  host('Before we start, um, a bit of housekeeping.', { shot: 'host' }),
  host('The newsletter is back, and the the notes for this show are on our website, as usual.', {
    shot: 'host',
    gap: 1.4,
  }),

  // The setup.
  host('So, take me back three years.', { gap: 0.35 }),
  host('What did the shop look like?', { gap: 0.5 }),
  guest('Honestly? It looked finished.', { gap: 0.5 }),
  guest('We had two mechanics, one heater, and the the rent had just doubled.'),
  guest('You know, people bought a new bike online, and they threw the old one out.'),
  guest('I had a sign in the window, and the sign said, closing in March.', { gap: 0.5 }),
  host('And then you counted something.', { shot: 'host', gap: 0.4 }),
  guest('Right.', { gap: 1.2 }),

  // First moment: the number.
  guest('Here is the number that changed my mind.', { gap: 0.5 }),
  guest('I stood at the city dump for one week, and I checked every bike that people threw away.'),
  guest('There were a hundred and forty of them.', { gap: 0.45 }),
  guest('Guess how many were really broken.', { shot: 'host', gap: 0.5 }),
  host('Half?', { gap: 0.6 }),
  guest('Nine.', { gap: 0.65 }),
  guest('Nine, out of a hundred and forty.', { shot: 'slide-number', gap: 0.45 }),
  guest('All the others needed a tube, a cable, or a drop of oil.', { shot: 'slide-number', gap: 0.45 }),
  guest('Most of them took less than twelve minutes to fix.', { gap: 0.5 }),
  guest('So people were not throwing away bikes.', { gap: 0.35 }),
  guest('They were throwing away a twelve minute job.', { gap: 1.3 }),

  // Filler: the sort of thing a clip must not start or end in.
  host('Wow. Okay.', { shot: 'host', gap: 0.45 }),
  host('Um, let me just find my notes here.', { shot: 'wide', gap: 1.6 }),
  host('Uh, where was I? Yes, sorry.', { shot: 'wide' }),
  host('You were going to say something about the parking, I think.', { shot: 'wide' }),
  guest('Yeah, the the parking is, uh, a whole other story.', { shot: 'wide', gap: 0.45 }),
  host('Then we will leave that one for another day.', { shot: 'wide', gap: 1.4, mood: 'warm' }),

  // Second moment: the story, its turn, and its punchline.
  host('Tell me about the man with the shopping bags.', { shot: 'host', gap: 0.55 }),
  guest('So, this was our last week.', { gap: 0.4 }),
  guest('A man walks in with two shopping bags, and in the bags, there is a bicycle.', { gap: 0.45 }),
  guest('In pieces.', { gap: 0.6 }),
  guest('He asks me, can you put it back together?'),
  guest('I look at it, and I tell him the truth.', { gap: 0.35 }),
  guest('It will cost more than the bike is worth.', { shot: 'host', gap: 0.5, mood: 'grave' }),
  guest('And he says, it belonged to my daughter.', { gap: 1.5, mood: 'grave' }),
  guest('Well. What do you say to that?', { gap: 0.5, mood: 'grave' }),
  guest('So I stayed late for four nights, and I built it.'),
  guest('I charged him twenty, and I thought, fine, that was my last job.', { gap: 0.6 }),
  guest('The next morning he is back, with a van.', { gap: 0.45 }),
  guest('It turns out, he runs the lost property office for the whole railway.'),
  guest('And he has four hundred bicycles in a basement.', { gap: 0.45 }),
  host('Four hundred?', { gap: 0.4 }),
  guest('Four hundred.', { gap: 0.5, mood: 'warm' }),
  guest('He said, I was not looking for a cheap mechanic.', { gap: 0.4 }),
  guest('I was looking for one who stays late.', { gap: 1.6, mood: 'warm' }),

  // More filler, with logistics.
  host('I, um, I did not expect that.', { shot: 'host', gap: 0.5 }),
  host('We are, uh, about halfway, and there is water on the table, if you want some.', { shot: 'wide' }),
  guest('No, thanks, I am good.', { shot: 'wide', gap: 0.4 }),
  guest('Um, is this microphone okay?', { shot: 'wide', gap: 0.4 }),
  host('It sounds fine. Just, you know, stay close to it.', { shot: 'wide', gap: 1.4 }),

  // Third moment: the advice.
  host('So what do you tell someone with a small shop that is running out of money?', {
    shot: 'host',
    gap: 0.6,
  }),
  guest('I have three rules.', { gap: 0.5 }),
  guest('Rule one. Count something before you quit.', { gap: 0.35 }),
  guest('Your fear is not a number.', { gap: 0.55 }),
  guest('Rule two. Fix the small thing while they wait.', { gap: 0.35 }),
  guest('People come back for the twelve minutes, not for the discount.', { gap: 0.55 }),
  guest('Rule three. Put your price on the wall.', { gap: 0.35 }),
  guest('If you have to whisper it, it is the wrong price.', { gap: 0.5 }),
  guest('That is all of it. Count, fix, and never whisper.', { shot: 'slide-rules', gap: 1.1 }),

  // The close.
  host('And the sign in the window?', { shot: 'host', gap: 0.45 }),
  guest('Oh, it is still there.', { gap: 0.35, mood: 'warm' }),
  guest('We painted one more word in front of it.', { gap: 0.35 }),
  guest('Now it says, not closing in March.', { gap: 0.9, mood: 'warm' }),
  host('Ruben Hale, thank you so much.', { shot: 'wide', gap: 0.4, mood: 'warm' }),
  guest('Thank you.', { shot: 'wide', gap: 0.8, mood: 'warm' }),
  host('That is all for today.', { shot: 'host', gap: 0.35 }),
  host('If you know a place that refused to close, um, write to us.', { shot: 'host' }),
  host('Next week, we visit a lighthouse with no road.', { shot: 'host', gap: 0.5 }),
  host("I'm Maya Lind, and we are still open.", { shot: 'wide', gap: 1.2, mood: 'warm' }),
]

/** Quiet before the first word, so the first frame is a picture and not a mouth in mid-vowel. */
const leadIn = 1.0

/** What a clip finder ought to come back with: first and last line of each strong moment. */
export const moments = [
  {
    title: 'Nine out of a hundred and forty',
    from: 'Here is the number',
    to: 'They were throwing away a twelve',
  },
  {
    title: 'The man with the shopping bags',
    from: 'Tell me about the man',
    to: 'I was looking for one who stays late',
  },
  { title: 'Three rules for a small shop', from: 'So what do you tell someone', to: 'That is all of it' },
]

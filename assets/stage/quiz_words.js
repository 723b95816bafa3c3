/* The words around a question, the same in both registers: what is asked, and why, comes with the run. */

const n = (x) => x.toLocaleString("en-US");

export const QUIZ_WORDS = {
  button: "Quiz",
  title: "Predict, then reveal: stops before some steps and asks",
  card: (k, of) => `Question ${k} of ${of}`,
  answer: "The answer",
  reveal: "Show the answer",
  skip: "Skip",
  count: "Count hands",
  reset: "Start again",
  resetTitle: "Forget all answers of this tab",
  fewer: (name) => `one hand less for ${name}`,
  more: (name) => `one hand more for ${name}`,
  handsFor: (name) => `hands for ${name}`,
  marks: { right: "right", wrong: "not so" },
  right: (answer) => `Right: ${answer}.`,
  wrong: (answer) => `Not so. Right is: ${answer}.`,
  itIs: (answer, hands) => (hands ? `Right is: ${answer}, as ${n(hands[0])} of ${n(hands[1])} hands said.` : `Right is: ${answer}.`),
  score: (right, of) => `${n(right)} of ${n(of)} right so far`,
  hands: (right, of) => `${n(right)} of ${n(of)} hands`,
  next: (k, of, step) => `Question ${k} of ${of} comes before step ${n(step)}.`,
  behind: "No question is ahead; those left out are behind this step.",
  done: (of) => (of === 1 ? "The one question of this run is answered." : `All ${of} questions of this run are answered.`),
};

export const QUIZ_KEYS = [
  ["Q", "questions before some steps, on and off"],
  ["1 to 4", "pick an answer; afterwards: what it would have meant"],
  ["PageDown, Right", "with a question: show the answer without picking"],
  ["Esc", "with a question: skip it. The line of time passes questions by"],
];

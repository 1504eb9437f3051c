import { Suspense, lazy, useEffect, useState } from 'react';
import { setCodeAsker } from '../api/fresh-code.ts';

interface Question {
  id: number;
  error: string | null;
  answer: (code: string | null) => void;
}

// With all that it is made of: most pages never ask.
const CodeQuestion = lazy(async () => ({ default: (await import('./CodeQuestion.tsx')).CodeQuestion }));

let asked = 0;

/** Asks for a one-time code whenever a call needs one. Several calls that wait at once are asked for one by one. */
export function FreshCodeDialog() {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  useEffect(
    () =>
      setCodeAsker(
        (error) => new Promise((answer) => setQuestions((all) => [...all, { id: (asked += 1), error, answer }])),
      ),
    [],
  );
  const [question] = questions;
  if (!question) return null;
  const answer = (code: string | null) => {
    setQuestions((all) => all.slice(1));
    question.answer(code);
  };
  return (
    <Suspense fallback={null}>
      <CodeQuestion key={question.id} error={question.error} onAnswer={answer} />
    </Suspense>
  );
}

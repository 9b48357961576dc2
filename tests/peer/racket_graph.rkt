#lang racket/base
;; Racket's own analyzer and renderer. Standard input: for each case
;; (order hide-self hide-subs ((milliseconds name ...) ...)), stacks leaf first;
;; a line "case" stands before what each prints. Each stack is seen twice, by a
;; thread of its own, so that it lasts twice its milliseconds.
(require profile/analyzer (prefix-in text: profile/render-text))

(define (samples-of stacks)
  (define entries (make-hash))
  (define (entry name)
    (hash-ref! entries name
               (lambda () (cons name (srcloc "f.rkt" 1 0 #f #f)))))
  (for*/list ([(stack thread) (in-indexed* stacks)]
              [time (in-list (list (car stack) 0))])
    (list* thread time (map entry (cdr stack)))))

(define (in-indexed* list)
  (in-parallel list (in-naturals)))

(let loop ()
  (define given (read))
  (unless (eof-object? given)
    (printf "case\n")
    (text:render (analyze-samples (cons 0 (samples-of (cadddr given))))
                 (car given)
                 #:hide-self (cadr given) #:hide-subs (caddr given))
    (loop)))

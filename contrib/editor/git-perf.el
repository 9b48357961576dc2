;;; git-perf.el --- What lines cost, beside them  -*- lexical-binding: t; -*-

;; M-x git-perf-mode shows before each line the shares of the profile that it
;; costs itself and with all that is called there, as git perf annotate has
;; them.  Lines that were edited since the profile was taken have none.  It is
;; shown anew when the file is saved.
;; M-x git-perf-against asks for a commit to compare with: then the second
;; number is by how many points a line's own share has changed.
;;
;; Put this file into your load-path and (require 'git-perf) into your init
;; file.  Emacs 27 or later.

;;; Code:

(defgroup git-perf nil
  "What lines cost, from git perf annotate."
  :group 'tools)

(defcustom git-perf-command '("git" "perf")
  "The program, and arguments before the command."
  :type '(repeat string))

(defcustom git-perf-options nil
  "Options of git perf annotate, as \"--profile=fib/callgrind\"."
  :type '(repeat string)
  :safe nil)

(defcustom git-perf-hot 5.0
  "Per cent of the profile from which on a line is hot."
  :type 'number)

(defface git-perf-line '((t :inherit shadow))
  "Costs of a line.")

(defface git-perf-hot-line '((t :inherit warning))
  "Costs of a line that is hot.")

(defvar-local git-perf--against nil
  "The commit that is compared with, or nil.")

(defun git-perf--ask ()
  "What git perf annotate prints of the text of this buffer.
Signal an error with what it says when it fails."
  (let* ((file (file-name-nondirectory buffer-file-name))
         (arguments (append (cdr git-perf-command)
                            '("annotate" "--porcelain" "--contents=-")
                            (and git-perf--against
                                 (list (concat "--against=" git-perf--against)))
                            git-perf-options (list "--" file)))
         (coding-system-for-write
          (or buffer-file-coding-system 'utf-8-unix))
         (coding-system-for-read 'utf-8-unix)
         (text (current-buffer))
         (said (make-temp-file "git-perf"))
         status)
    (unwind-protect
        (with-temp-buffer
          (let ((out (current-buffer)))
            (with-current-buffer text
              (setq status
                    (save-restriction
                      (widen)
                      (apply #'call-process-region (point-min) (point-max)
                             (car git-perf-command) nil (list out said) nil
                             arguments))))
            (unless (eq status 0)
              (erase-buffer)
              (insert-file-contents said)
              (user-error "%s" (string-trim (buffer-string))))
            (buffer-string)))
      (delete-file said))))

(defun git-perf--share (value all)
  "VALUE in per cent of ALL, both as text."
  (let ((all (string-to-number (or all "0"))))
    (if (zerop all) 0.0
      (/ (* 100.0 (string-to-number value)) all))))

(defun git-perf--costs (text)
  "A table of number of line to (TEXT . SELF) from the porcelain TEXT."
  (let ((costs (make-hash-table)) (head nil) (in-head t))
    (dolist (line (split-string text "\n"))
      (cond
       ((and in-head (string= line "")) (setq in-head nil))
       (in-head
        (when (string-match "\\`\\([^ ]+\\) \\(.*\\)" line)
          (push (cons (match-string 1 line) (match-string 2 line)) head)))
       (t
        (let* ((part (split-string line "\t"))
               (all (cdr (assoc "all" head)))
               (pair (= (length part) 6)))
          (when (or pair (= (length part) 3))
            (let ((self (git-perf--share (nth (if pair 2 1) part) all)))
              (puthash
               (string-to-number (car part))
               (cons (if pair
                         (format "%6.2f%% %+6.2f " self
                                 (- self (git-perf--share
                                          (nth 4 part)
                                          (cdr (assoc "old-all" head)))))
                       (format "%6.2f%%%6.1f%% " self
                               (git-perf--share (nth 2 part) all)))
                     self)
               costs)))))))
    costs))

(defun git-perf--hide ()
  "Take all costs away."
  (save-restriction
    (widen)
    (remove-overlays (point-min) (point-max) 'git-perf t)))

(defun git-perf--show ()
  "Put costs before the lines of this buffer."
  (let ((costs (git-perf--costs (git-perf--ask))) (number 1))
    (git-perf--hide)
    (save-excursion
      (save-restriction
        (widen)
        (goto-char (point-min))
        (while (not (eobp))
          (let* ((cost (gethash number costs))
                 (overlay (make-overlay (point) (point)))
                 (hot (and cost (>= (cdr cost) git-perf-hot))))
            (overlay-put overlay 'git-perf t)
            (overlay-put overlay 'before-string
                         (propertize (if cost (car cost) (make-string 15 ?\s))
                                     'face (if hot 'git-perf-hot-line
                                             'git-perf-line))))
          (setq number (1+ number))
          (forward-line 1))))))

;;;###autoload
(define-minor-mode git-perf-mode
  "Show beside each line what it costs."
  :lighter " Perf"
  (remove-hook 'after-save-hook #'git-perf--show t)
  (git-perf--hide)
  (when git-perf-mode
    (unless buffer-file-name
      (setq git-perf-mode nil)
      (user-error "This buffer has no file"))
    (condition-case err
        (git-perf--show)
      (error (setq git-perf-mode nil)
             (signal (car err) (cdr err))))
    (add-hook 'after-save-hook #'git-perf--show nil t)))

;;;###autoload
(defun git-perf-against (commit)
  "Show what lines cost beside what they cost at COMMIT; empty: no longer."
  (interactive "sBeside the costs at commit: ")
  (setq git-perf--against (unless (string= commit "") commit))
  (git-perf-mode 1))

(provide 'git-perf)
;;; git-perf.el ends here

(* Sums over ranks, and means over finite lists: what the chapters have in common. *)
Require Import Reals Lra Lia List Permutation Factorial.
Import ListNotations.
Open Scope R_scope.

(** * Sums over ranks *)

(** f(1) + ... + f(n) *)
Fixpoint sum_to (f : nat -> R) n : R := match n with O => 0 | S m => sum_to f m + f (S m) end.

(** f(n + 1), f(n + 2), ... *)
Definition shift (n : nat) (f : nat -> R) (i : nat) := f (n + i)%nat.

Lemma sum_to_ext f g n : (forall i, (1 <= i <= n)%nat -> f i = g i) -> sum_to f n = sum_to g n.
Proof. induction n; cbn; intros H; [reflexivity|]. rewrite IHn, H by (intros; apply H || idtac;
  lia); auto. Qed.
Lemma sum_to_plus f g n : sum_to (fun i => f i + g i) n = sum_to f n + sum_to g n.
Proof. induction n; cbn; [|rewrite IHn]; lra. Qed.
Lemma sum_to_scale c f n : sum_to (fun i => c * f i) n = c * sum_to f n.
Proof. induction n; cbn; [|rewrite IHn]; lra. Qed.
Lemma sum_to_const c n : sum_to (fun _ => c) n = INR n * c.
Proof. induction n; [cbn; lra|]. cbn [sum_to]; rewrite IHn, S_INR; lra. Qed.
Lemma sum_to_zero f n : (forall i, (1 <= i <= n)%nat -> f i = 0) -> sum_to f n = 0.
Proof. intros H; rewrite (sum_to_ext f (fun _ => 0)), sum_to_const by assumption; lra. Qed.
Lemma sum_to_le f g n : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> sum_to f n <= sum_to g n.
Proof.
  induction n; cbn; intros H; [lra|]; pose proof (H (S n) ltac:(lia)).
  assert (sum_to f n <= sum_to g n) by (apply IHn; intros; apply H; lia); lra.
Qed.
Lemma sum_to_nonneg f n : (forall i, (1 <= i <= n)%nat -> 0 <= f i) -> 0 <= sum_to f n.
Proof. intros H; rewrite <- (sum_to_zero (fun _ => 0) n); auto using sum_to_le. Qed.
Lemma sum_to_split f a n : sum_to f (a + n) = sum_to f a + sum_to (shift a f) n.
Proof.
  induction n; cbn; [rewrite Nat.add_0_r; lra|]; rewrite Nat.add_succ_r; cbn; rewrite IHn;
  unfold shift.
  rewrite Nat.add_succ_r; lra.
Qed.
Lemma sum_to_first f n : sum_to f (S n) = f 1%nat + sum_to (shift 1 f) n.
Proof. change (S n) with (1 + n)%nat; rewrite sum_to_split; cbn; lra. Qed.
Lemma sum_to_more f n k : (forall i, 0 <= f (S i)) -> (n <= k)%nat -> sum_to f n <= sum_to f k.
Proof. intros P; induction 1; cbn; [lra|]; specialize (P m); lra. Qed.
Lemma sum_to_beyond f n k : (forall i, (n < i)%nat -> f i = 0) -> (n <= k)%nat ->
  sum_to f k = sum_to f n.
Proof. intros Z; induction 1; cbn; [reflexivity|]; rewrite IHle, Z by lia; lra. Qed.
Lemma sum_to_min f n k : (forall i, (n < i)%nat -> f i = 0) -> sum_to f (Nat.min k n) = sum_to f k.
Proof.
  intros Z; destruct (Nat.le_ge_cases k n); [rewrite Nat.min_l by assumption; reflexivity|].
  rewrite Nat.min_r by assumption; symmetry; apply sum_to_beyond; assumption.
Qed.
(** Where each term is at most that of g, and the sums are equal, the terms are. *)
Lemma sum_to_le_eq f g n : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> sum_to f n = sum_to g n ->
  forall i, (1 <= i <= n)%nat -> f i = g i.
Proof.
  induction n; intros H E i I; [lia|]; cbn in E; pose proof (H (S n) ltac:(lia)).
  assert (sum_to f n <= sum_to g n) by (apply sum_to_le; intros; apply H; lia).
  destruct (Nat.eq_dec i (S n)) as [->|]; [lra|]; apply IHn; [intros; apply H; lia|lra|lia].
Qed.
Lemma sum_to_lt f g n j : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> (1 <= j <= n)%nat ->
  f j < g j ->
  sum_to f n < sum_to g n.
Proof.
  intros H J L; destruct (Rle_lt_or_eq_dec _ _ (sum_to_le f g n H)) as [|E]; [assumption|].
  pose proof (sum_to_le_eq f g n H E j J); lra.
Qed.
(** Summation by parts, of Abel *)
Lemma by_parts (g d : nat -> R) k : sum_to (fun i => g i * d i) (S k) =
  sum_to (fun i => sum_to g i * (d i - d (S i))) k + sum_to g (S k) * d (S k).
Proof. induction k; [cbn; lra|]; change (sum_to (fun i => g i * d i) (S (S k))) with
  (sum_to (fun i => g i * d i) (S k) + g (S (S k)) * d (S (S k))); rewrite IHk; cbn [sum_to];
  lra. Qed.

(** The square of a sum, by its pairs *)
Lemma sum_to_square f n : sum_to f n * sum_to f n = sum_to (fun j => f j * f j + 2 * sum_to (fun i
  => f i * f j) (j - 1)) n.
Proof.
  assert (forall c m, sum_to (fun i => f i * c) m = c * sum_to f m) as X.
  { intros; rewrite <- sum_to_scale; apply sum_to_ext; intros; ring. }
  induction n as [|n IH]; [cbn; lra|]; cbn [sum_to]; rewrite <- IH, X;
  replace (S n - 1)%nat with n by lia; ring.
Qed.

(** * Sums and means over lists *)

Fixpoint total {A} (f : A -> R) (l : list A) : R :=
  match l with [] => 0 | x :: l' => f x + total f l' end.
Definition sum := total (fun x : R => x).
Definition mean {A} (f : A -> R) l := total f l / INR (length l).

Section Lists.
Context {A : Type}.
Implicit Types (f g : A -> R) (l : list A).

Lemma total_app f a b : total f (a ++ b) = total f a + total f b.
Proof. induction a; cbn; [|rewrite IHa]; lra. Qed.
Lemma total_ext f g l : (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof. intros H; induction l; cbn; auto; rewrite IHl, H; cbn; auto; intros; apply H; cbn; auto. Qed.
Lemma total_le f g l : (forall x, In x l -> f x <= g x) -> total f l <= total g l.
Proof.
  intros H; induction l; cbn; [lra|]; apply Rplus_le_compat; [apply H; cbn; auto|].
  apply IHl; intros; apply H; cbn; auto.
Qed.
Lemma total_plus f g l : total (fun x => f x + g x) l = total f l + total g l.
Proof. induction l; cbn; [|rewrite IHl]; lra. Qed.
Lemma total_scale c f l : total (fun x => c * f x) l = c * total f l.
Proof. induction l; cbn; [|rewrite IHl]; lra. Qed.
Lemma total_const c l : total (fun _ => c) l = INR (length l) * c.
Proof. induction l; cbn [total length]; [cbn|rewrite S_INR, IHl]; lra. Qed.
Lemma total_nonneg f l : (forall x, In x l -> 0 <= f x) -> 0 <= total f l.
Proof. intros H; rewrite <- (Rmult_0_r (INR (length l))), <- total_const; apply total_le; auto. Qed.
Lemma total_map {B} (h : B -> A) f (l : list B) : total f (map h l) = total (fun x => f (h x)) l.
Proof. induction l; cbn; [|rewrite IHl]; reflexivity. Qed.
Lemma total_flat_map {B} (h : B -> list A) f (l : list B) :
  total f (flat_map h l) = total (fun x => total f (h x)) l.
Proof. induction l; cbn; auto; rewrite total_app, IHl; reflexivity. Qed.
Lemma total_perm f l l' : Permutation l l' -> total f l = total f l'.
Proof. induction 1; cbn; lra. Qed.
Lemma total_sum_to (f : nat -> A -> R) n l :
  total (fun x => sum_to (fun i => f i x) n) l = sum_to (fun i => total (f i) l) n.
Proof. induction n; cbn; [rewrite total_const; lra|]; rewrite total_plus, IHn; reflexivity. Qed.

Lemma total_swap {B} (h : B -> A -> R) (m : list B) l :
  total (fun x => total (fun y => h y x) m) l = total (fun y => total (h y) l) m.
Proof. induction m; cbn; [rewrite total_const; lra|]; rewrite total_plus, IHm; reflexivity. Qed.

Lemma length_pos l : l <> [] -> 0 < INR (length l).
Proof. intros; apply lt_0_INR; destruct l; [congruence|cbn; lia]. Qed.

Lemma mean_ext f g l : (forall x, In x l -> f x = g x) -> mean f l = mean g l.
Proof. intros H; unfold mean; rewrite (total_ext f g) by assumption; reflexivity. Qed.
Lemma mean_plus f g l : mean (fun x => f x + g x) l = mean f l + mean g l.
Proof. unfold mean; rewrite total_plus; unfold Rdiv; ring. Qed.
Lemma mean_scale c f l : mean (fun x => c * f x) l = c * mean f l.
Proof. unfold mean; rewrite total_scale; unfold Rdiv; ring. Qed.
Lemma mean_const c l : l <> [] -> mean (fun _ => c) l = c.
Proof. intros H; apply length_pos in H; unfold mean; rewrite total_const; field; lra. Qed.
Lemma mean_div f c l : mean (fun x => f x / c) l = mean f l / c.
Proof.
  rewrite (mean_ext _ (fun x => / c * f x)), mean_scale; [unfold Rdiv; ring|intros; unfold Rdiv;
  ring].
Qed.
Lemma mean_perm f l l' : Permutation l l' -> mean f l = mean f l'.
Proof. intros P; unfold mean; rewrite (total_perm f l l'), (Permutation_length P) by assumption;
  reflexivity. Qed.
Lemma mean_le f g l : (forall x, In x l -> f x <= g x) -> mean f l <= mean g l.
Proof.
  destruct l as [|a l]; [unfold mean; cbn; intros; lra|]; intros H; unfold mean.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, length_pos;
  discriminate|apply total_le; assumption].
Qed.
Lemma mean_between f l lo hi : l <> [] -> (forall x, In x l -> lo <= f x <= hi) ->
  lo <= mean f l <= hi.
Proof.
  intros H B; split; [rewrite <- (mean_const lo l) by assumption|rewrite <- (mean_const hi l)
  by assumption];
    apply mean_le; intros; apply B; assumption.
Qed.
Lemma mean_sum_to (f : nat -> A -> R) n l :
  mean (fun x => sum_to (fun i => f i x) n) l = sum_to (fun i => mean (f i) l) n.
Proof.
  unfold mean; rewrite total_sum_to; unfold Rdiv; rewrite Rmult_comm, <- sum_to_scale.
  apply sum_to_ext; intros; ring.
Qed.
(** The mean of what is nowhere negative is 0 only if all of it is. *)
Lemma mean_zero f l : (forall x, In x l -> 0 <= f x) -> mean f l = 0 -> forall x, In x l -> f x = 0.
Proof.
  intros P M x X; assert (0 < INR (length l)) as L by (apply length_pos; intros ->; contradiction).
  assert (total f l = 0) as T by (unfold mean in M; apply (Rmult_eq_reg_r (/ INR (length l)));
    [unfold Rdiv in M; lra|apply Rinv_neq_0_compat; lra]).
  clear M L; induction l as [|a l IH]; [contradiction|]; cbn in T.
  assert (0 <= f a) by (apply P; cbn; auto).
  assert (0 <= total f l) by (apply total_nonneg; intros; apply P; cbn; auto).
  destruct X as [<-|X]; [lra|apply IH; [intros; apply P; cbn; auto|assumption|lra]].
Qed.
End Lists.

Lemma sum_nonneg l : Forall (Rle 0) l -> 0 <= sum l.
Proof. intros F; apply total_nonneg; intros; rewrite Forall_forall in F; auto. Qed.
Lemma sum_repeat g n : sum (repeat g n) = INR n * g.
Proof. unfold sum; induction n; cbn [repeat total]; [cbn; lra|]. rewrite IHn, S_INR; lra. Qed.

(** * Parts of lists *)

Lemma filter_none {A} (f : A -> bool) l : (forall a, In a l -> f a = false) -> filter f l = [].
Proof. intros H; induction l as [|a l IH]; [reflexivity|]; cbn; rewrite (H a (or_introl eq_refl));
  apply IH; intros; apply H; right; assumption. Qed.
Lemma filter_length_perm {A} (f : A -> bool) l m : Permutation l m ->
  length (filter f l) = length (filter f m).
Proof. induction 1; cbn; repeat destruct (f _); cbn; congruence. Qed.
Lemma filter_length_le {A} (f : A -> bool) l : (length (filter f l) <= length l)%nat.
Proof. induction l as [|a l IH]; cbn; [lia|]; destruct (f a); cbn; lia. Qed.

(** * Quotients *)

Lemma div_nonneg a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros; apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat]; assumption. Qed.
Lemma div_le a b c : 0 < b -> (a / b <= c <-> a <= c * b).
Proof.
  intros B; split; intros H.
  - apply (Rmult_le_compat_r b) in H; [|lra]; unfold Rdiv in H; rewrite Rmult_assoc, Rinv_l in H;
    lra.
  - apply (Rmult_le_reg_r b); [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma le_div a b c : 0 < b -> (c <= a / b <-> c * b <= a).
Proof.
  intros B; split; intros H.
  - apply (Rmult_le_compat_r b) in H; [|lra]; unfold Rdiv in H; rewrite Rmult_assoc, Rinv_l in H;
    lra.
  - apply (Rmult_le_reg_r b); [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma div_eq a b c : b <> 0 -> (a / b = c <-> a = c * b).
Proof. intros B; split; [intros <-; field; assumption|intros ->; field; assumption]. Qed.
Lemma div_lt a b c : 0 < b -> (a / b < c <-> a < c * b).
Proof.
  intros B; pose proof (le_div a b c B); destruct (Rlt_dec (a / b) c), (Rlt_dec a (c * b));
  tauto || lra.
Qed.
Lemma lt_div a b c : 0 < b -> (c < a / b <-> c * b < a).
Proof.
  intros B; pose proof (div_le a b c B); destruct (Rlt_dec c (a / b)), (Rlt_dec (c * b) a);
  tauto || lra.
Qed.
Lemma inv_le_1 x : 1 <= x -> 0 < / x <= 1.
Proof.
  intros H; split; [apply Rinv_0_lt_compat; lra|]; apply Rle_trans with (/ 1);
  [apply Rinv_le_contravar|rewrite Rinv_1]; lra.
Qed.
Lemma inv_lt_1 x : 1 < x -> 0 < / x < 1.
Proof.
  intros H; split; [apply Rinv_0_lt_compat; lra|]; apply Rlt_le_trans with (/ 1);
  [apply Rinv_lt_contravar|rewrite Rinv_1]; lra.
Qed.
(** a / b where b > 0, and 0 where the spec leaves no divisor *)
Definition quotient a b := if Rlt_dec 0 b then a / b else 0.

Lemma quotient_scale c a b : 0 < c -> quotient (c * a) (c * b) = quotient a b.
Proof.
  intros H; unfold quotient; destruct (Rlt_dec 0 (c * b)), (Rlt_dec 0 b); [field;
  lra| | |reflexivity]; exfalso; nra.
Qed.
Lemma quotient_nonneg a b : 0 <= a -> 0 <= quotient a b.
Proof. intros; unfold quotient; destruct (Rlt_dec 0 b); [apply div_nonneg|]; lra. Qed.
Lemma quotient_range a b : 0 <= a <= b -> 0 <= quotient a b <= 1.
Proof.
  intros H; split; [apply quotient_nonneg; lra|]; unfold quotient; destruct (Rlt_dec 0 b);
  [apply div_le|]; lra.
Qed.
Lemma quotient_le a b c : a <= b -> quotient a c <= quotient b c.
Proof.
  intros H; unfold quotient; destruct (Rlt_dec 0 c); [|lra].
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; assumption.
Qed.
Lemma mean_quotient {A} (f : A -> R) c l : mean (fun x => quotient (f x) c) l = quotient (mean f l)
  c.
Proof.
  unfold quotient; destruct (Rlt_dec 0 c); [apply mean_div|]; unfold mean; rewrite total_const;
  unfold Rdiv; ring.
Qed.
